/* ZXing-C++ (Debian: libzxing-dev). Its headers are C++: CVisionBarcode includes them, this module only links it. */
