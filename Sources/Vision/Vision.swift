// The public API: requests, handlers, observations. No C and no algorithms here.
