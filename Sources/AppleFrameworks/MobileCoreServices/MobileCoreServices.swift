@_exported public import Foundation
public import VisionImage

// The constants of Launch Services that name types of files; `UTType` replaces them.

/// Any item.
public let kUTTypeItem: CFString = "public.item"
/// Any data.
public let kUTTypeData: CFString = "public.data"
/// A folder.
public let kUTTypeFolder: CFString = "public.folder"
/// Any image.
public let kUTTypeImage: CFString = "public.image"
/// A JPEG image.
public let kUTTypeJPEG: CFString = "public.jpeg"
/// A JPEG 2000 image.
public let kUTTypeJPEG2000: CFString = "public.jpeg-2000"
/// A PNG image.
public let kUTTypePNG: CFString = "public.png"
/// A TIFF image.
public let kUTTypeTIFF: CFString = "public.tiff"
/// A GIF image.
public let kUTTypeGIF: CFString = "com.compuserve.gif"
/// A photo with a short video.
public let kUTTypeLivePhoto: CFString = "com.apple.live-photo"
/// A BMP image.
public let kUTTypeBMP: CFString = "com.microsoft.bmp"
/// A camera's raw image.
public let kUTTypeRawImage: CFString = "public.camera-raw-image"
/// A PDF document.
public let kUTTypePDF: CFString = "com.adobe.pdf"
/// Any video with sound.
public let kUTTypeMovie: CFString = "public.movie"
/// Any video.
public let kUTTypeVideo: CFString = "public.video"
/// An MPEG-4 file.
public let kUTTypeMPEG4: CFString = "public.mpeg-4"
/// A QuickTime file.
public let kUTTypeQuickTimeMovie: CFString = "com.apple.quicktime-movie"
/// Any text.
public let kUTTypeText: CFString = "public.text"
/// Text without format.
public let kUTTypePlainText: CFString = "public.plain-text"
/// Text in UTF-8.
public let kUTTypeUTF8PlainText: CFString = "public.utf8-plain-text"
/// JSON.
public let kUTTypeJSON: CFString = "public.json"
/// A URL.
public let kUTTypeURL: CFString = "public.url"
/// The URL of a file.
public let kUTTypeFileURL: CFString = "public.file-url"
