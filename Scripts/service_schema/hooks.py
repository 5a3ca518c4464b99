"""What schemathesis cannot make up from a schema: images, as bodies, parts of forms, and Base64."""

import base64
import os
from pathlib import Path

import schemathesis
from hypothesis import strategies
from schemathesis.transport.serialization import Binary

# check-service-schema.py writes them.
FILES = [path.read_bytes() for path in sorted(Path(os.environ["SERVICE_IMAGES"]).iterdir())]

images = strategies.sampled_from(FILES)
schemathesis.openapi.media_type("image/*", images)
schemathesis.openapi.media_type("application/octet-stream", images)
schemathesis.openapi.format("binary", images.map(Binary))
schemathesis.openapi.format("byte", images.map(lambda data: base64.b64encode(data).decode()))

MODEL = "colours"


def arguments(case):
    """The names of the arguments in the body."""
    return set(case.body) - {"image"} if isinstance(case.body, dict) else set()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes valid what OpenAPI cannot say. A media type with a wildcard is none that a client may send. Of valid data:
    arguments are in the query or in the body, not in both; `requests` is in one of them and names each request once;
    and the names of models are not in the document of a service with a token."""
    if case.media_type == "image/*":
        case.headers["Content-Type"] = "image/png"
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if arguments(case):
        case.query = {}
    elif case.operation.path == "/v1/analyze" and "requests" not in (case.query or {}):
        case.query = {**(case.query or {}), "requests": "horizon"}
    if isinstance(case.body, dict) and isinstance(case.body.get("requests"), list):
        requests = {entry["name"] if isinstance(entry, dict) else entry: entry for entry in case.body["requests"]}
        case.body["requests"] = list(requests.values())
    if "name" in (case.path_parameters or {}):
        case.path_parameters["name"] = MODEL


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops that an empty list in a form is accepted: it is no part, so it cannot be told from one that is not sent."""
    is_form = case.media_type == "multipart/form-data" and isinstance(case.body, dict)
    return not (type(failure).__name__ == "AcceptedNegativeData" and is_form and [] in list(case.body.values()))
