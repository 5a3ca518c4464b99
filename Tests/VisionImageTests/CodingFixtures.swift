import Foundation

/// Small synthetic images in formats, or variants of formats, that the package does not write. They also seed the
/// corpus of the fuzzer, which reads them from this file.
enum Fixture {
    /// 16 x 16, quadrants red, green / blue, white; 4:4:4.
    static let jpegBaseline = data(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU
        FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU
        FBQUFBQUFBT/wAARCAAQABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
        BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
        V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
        4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
        AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm
        Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq
        8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD50r8MP9Uz7Gr8SP8AmPPy8r/ozP7lP6W6/wArD7g//9k=
        """)
    /// The same with ten scans.
    static let jpegProgressive = data(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU
        FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU
        FBQUFBQUFBT/wgARCAAQABADAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABwgJ/8QAGAEAAwEBAAAAAAAAAAAAAAAABggJ
        BQf/2gAMAwEAAhADEAAAATkFaljCZjy9Rnuelqrbn//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAQUCH//EABQRAQAAAAAA
        AAAAAAAAAAAAACD/2gAIAQMBAT8BH//EABQRAQAAAAAAAAAAAAAAAAAAACD/2gAIAQIBAT8BH//EABQQAQAAAAAAAAAAAAAAAAAA
        ACD/2gAIAQEABj8CH//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAT8hH//aAAwDAQACAAMAAAAQ9U//xAAUEQEAAAAAAAAA
        AAAAAAAAAAAg/9oACAEDAQE/EB//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/EB//xAAUEAEAAAAAAAAAAAAAAAAAAAAg
        /9oACAEBAAE/EB//2Q==
        """)
    /// The quadrants at 32 x 32, with restart markers.
    static let jpegRestart = data(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxO
        UlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P
        T09PT09PT0//wAARCAAgACADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
        BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
        V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
        4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
        AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm
        Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq
        8vP09fb3+Pn6/90ABAAB/9oADAMBAAIRAxEAPwDn6KKK8Y/ST//QvUUUV8efBH//0eCooor9JOM//9L06iiigD//2Q==
        """)
    /// 16 x 16 with Adobe's inverted inks: quadrants red, green / blue, black at 128.
    static let jpegCMYK = data(
        """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUV
        FQwPFxgWFBgSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB
        AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH
        SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV
        1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD9U6/Kqvyqr9U6/lXr+qiiiiv5V6/qoor+qiv6qKK/Kmv/
        2Q==
        """)
    /// 2 x 1 grey 128, orientation 6 in an eXIf chunk.
    static let pngEXIF6 = data(
        """
        iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAGmVYSWZNTQAqAAAACAABARIAAwAAAAEABgAAAAAAANZnS2kAAAAL
        SURBVHicY2xgAAABBgCCJcRYOAAAAABJRU5ErkJggg==
        """)
    /// 4 x 1: 0, 0x0102, 0x8080, 0xffff.
    static let pngGrey16 = data(
        """
        iVBORw0KGgoAAAANSUhEUgAAAAQAAAABEAAAAACMx4xSAAAAEUlEQVR42mNgYGBkamj4/x8ABpYDAv6l2CgAAAAASUVORK5CYII=
        """)
    /// 2 x 1: 0x1010 0x2020 0x3030 opaque, 0xffff 0x8080 0 with alpha 0x8080.
    static let pngRGBA16 = data(
        """
        iVBORw0KGgoAAAANSUhEUgAAAAIAAAABEAYAAACksqPJAAAAF0lEQVR42mMQEFBQMDD4DwQNDQwMDQ0AMo8GvR5SdpQAAAAASUVO
        RK5CYII=
        """)
    /// 4 x 1, two bits: red with alpha 0, green with alpha 128, blue, (9, 8, 7).
    static let pngPalette = data(
        """
        iVBORw0KGgoAAAANSUhEUgAAAAQAAAABAgMAAACEUudeAAAADFBMVEX/AAAA/wAAAP8JCAei0mLAAAAAAnRSTlMAgJsrThgAAAAK
        SURBVHjaY5AGAAAdABwjfI+sAAAAAElFTkSuQmCC
        """)
    /// 8 x 1, one bit: 10110010.
    static let pngGreyBits = data(
        """
        iVBORw0KGgoAAAANSUhEUgAAAAgAAAABAQAAAADLe9LuAAAACklEQVR42mPYBAAAtACziZDNLwAAAABJRU5ErkJggg==
        """)
    /// 5 x 3 RGBA: (40 x, 80 y, 7, 200 + x).
    static let pngInterlaced = data(
        """
        iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAAEsMfVuAAAAOUlEQVR42g3IQREAIAwDwfvFSuVEDnIiBwqi6G9nAW2CHkYN0XbU
        yUyhs9ClMsgAa5d1bPWybqz3AZfhFaD14KasAAAAAElFTkSuQmCC
        """)
    /// The quadrants, 16 x 16.
    static let webpLossy = data(
        """
        UklGRkgAAABXRUJQVlA4IDwAAABQAgCdASoQABAAAIAIJaACdLoB+AH6gfwACdAA/qJ///nCP/78P///m4mP/rlz3HqUJ//3WfKc
        uOQAAAA=
        """)
    /// The same, lossless; the last pixel is (200, 100, 50) with alpha 128.
    static let webpAlpha = data(
        """
        UklGRkgAAABXRUJQVlA4TDsAAAAvD8ADECcgECCI9Z9gQyCQ5G821QIBgib/bQQERdctF/jJsVWBLMAkhRRSCCF/qb0JRPR/AkLz
        RyxvBgA=
        """)
    /// 2 x 1 of (10, 200, 30), orientation 6.
    static let webpEXIF6 = data(
        """
        UklGRlIAAABXRUJQVlA4WAoAAAAIAAAAAQAAAAAAVlA4TBEAAAAvAQAAAAdQ5CrUo/+BiOh/AABFWElGGgAAAE1NACoAAAAIAAEB
        EgADAAAAAQAGAAAAAAAA
        """)
    /// 8 x 8, first frame (200, 0, 0), second (0, 0, 200).
    static let webpAnimated = data(
        """
        UklGRoQAAABXRUJQVlA4WAoAAAACAAAABwAABwAAQU5JTQYAAAAAAAAAAABBTk1GKAAAAAAAAAAAAAcAAAcAAGQAAAJWUDhMDwAA
        AC8HwAEABxBFjv4HIqL/AQBBTk1GKAAAAAAAAAAAAAcAAAcAAGQAAABWUDhMDwAAAC8HwAEABxBR5P4HIqL/AQA=
        """)
    /// 6 x 5, colour (x + y) mod 4 of red, green, blue, (40, 50, 60).
    static let gif = data(
        """
        R0lGODdhBgAFAIEAAP8AAAD/AAAA/ygyPCwAAAAABgAFAAAIFAABBBAwQODAggMJCiSIUOFChAEBADs=
        """)
    /// The same interlaced, with blue transparent.
    static let gifInterlacedTransparent = data(
        """
        R0lGODlhBgAFAIEAAP8AAAD/AAAA/ygyPCH5BAEAAAIALAAAAAAGAAUAAAgUAAEEEDBA4MCCAwkKJIhQ4UKEAQEAOw==
        """)
    /// The quadrants at 4 x 4.
    static let tiffRGB = data(
        """
        SUkqAAgAAAAKAAABBAABAAAABAAAAAEBBAABAAAABAAAAAIBAwADAAAAhgAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAAB
        AAAAjAAAABUBAwABAAAAAwAAABYBBAABAAAABAAAABcBBAABAAAAMAAAABwBAwABAAAAAQAAAAAAAAAIAAgACAD/AAD/AAAA/wAA
        /wD/AAD/AAAA/wAA/wAAAP8AAP////////8AAP8AAP////////8=
        """)
    /// The quadrants at 16 x 16, LZW, orientation 8.
    static let tiffLZW = data(
        """
        SUkqAHIAAACAP8AACBQSBwWEQeFQuEwaHQ2BRCGROHQ+KRKDRiNQuLR2NxuPRyQR+LyWKyOSyiQyaUSqMSuWyyTTCZTWNP+cTmdT
        ueTmbRee0GhT+PUKjTuiRCj0uXUCmUakwyn1CaTCp0Oqzerz2AgACwAAAQMAAQAAABAAAAABAQMAAQAAABAAAAACAQMAAwAAAPwA
        AAADAQMAAQAAAAUAAAAGAQMAAQAAAAIAAAARAQQAAQAAAAgAAAASAQMAAQAAAAgAAAAVAQMAAQAAAAMAAAAWAQMAAQAAABAAAAAX
        AQQAAQAAAGkAAAAcAQMAAQAAAAEAAAAAAAAACAAIAAgA
        """)
    /// 3 x 1: 0, 0x8080, 0xffff.
    static let tiffGrey16 = data(
        """
        SUkqAAgAAAAJAAABBAABAAAAAwAAAAEBBAABAAAAAQAAAAIBAwABAAAAEAAAAAMBAwABAAAAAQAAAAYBAwABAAAAAQAAABEBBAAB
        AAAAegAAABYBBAABAAAAAQAAABcBBAABAAAABgAAABwBAwABAAAAAQAAAAAAAAAAAICA//8=
        """)
    /// 2 x 1: (200, 100, 50) with straight alpha 128, (1, 2, 3) opaque.
    static let tiffAlpha = data(
        """
        SUkqAAgAAAALAAABBAABAAAAAgAAAAEBBAABAAAAAQAAAAIBAwAEAAAAkgAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAAB
        AAAAmgAAABUBAwABAAAABAAAABYBBAABAAAAAQAAABcBBAABAAAACAAAABwBAwABAAAAAQAAAFIBAwABAAAAAgAAAAAAAAAIAAgA
        CAAIAMhkMoABAgP/
        """)
    /// The quadrants at 64 x 64.
    static let heic = data(
        """
        AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAVVtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
        ACJpbG9jAAAAAERAAAEAAQAAAAABeQABAAAAAAAAAEEAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt
        AAAAAAABAAAA1WlwcnAAAAC2aXBjbwAAAHdodmNDAQQIAAAAnjgAAAAAHvAA/P/4+AAADwNgAAEAF0ABDAH//wQIAAADAJ44AAAD
        AAAeugJAYQABACpCAQEECAAAAwCeOAAAAwAAHpAEECCy3UklNc3AQ0GBAAADABkAAAMAAQhiAAEACEQBwXKGDAIkAAAAE2NvbHJu
        Y2x4AAEADQAGgAAAABRpc3BlAAAAAAAAAEAAAABAAAAAEHBpeGkAAAAAAwgICAAAABdpcG1hAAAAAAAAAAEAAQSBAgMEAAAASW1k
        YXQAAAA9KAGvCeAjNqI///vRff/+3Meh/rWzdKcf5He//9Jwv/+9QQ0T//a0iA/td17/6YNpFnX89xgZ/KZZV+fzvw==
        """)
    /// 256 x 256 of (90, 120, 30).
    static let heicLarge = data(
        """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAVdtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
        ACJpbG9jAAAAAERAAAEAAQAAAAABewABAAAAAAAAADYAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt
        AAAAAAABAAAA12lwcnAAAAC4aXBjbwAAAHlodmNDAQNwAAAAkAAAAAAAPPAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA
        AAMAPLoCQGEAAQAsQgEBA3AAAAMAkAAAAwAAAwA8oAgIBAWW6kkprm4CGgwIAAADAMgAAAMACEBiAAEAB0QBwXKwYkAAAAATY29s
        cm5jbHgAAQANAAaAAAAAFGlzcGUAAAAAAAABAAAAAQAAAAAQcGl4aQAAAAADCAgIAAAAF2lwbWEAAAAAAAAAAQABBIECAwQAAAA+
        bWRhdAAAADIoAa8LSFocsPrGwdf/9Fnv4gEdMO0yxRUh7JCDwqhvxUEqGelYkwpCSAHJhwAAAwDygA==
        """)
    /// The quadrants' upper half as AV1: 64 × 32.
    static let avif = data(
        """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA
        AAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAANAAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEA
        AGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAQAAAACAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwA
        AAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAPG1kYXQSAAoJGBU/+0QENBoQMiUXh4eGIYSSSSZQ
        AAAAx5HIuAt+cUdFQG7j28peQkzp59ja6EB8
        """)

    static let all: [(name: String, data: Data)] = [
        ("avif", avif),
        ("jpegBaseline", jpegBaseline),
        ("jpegProgressive", jpegProgressive),
        ("jpegRestart", jpegRestart),
        ("jpegCMYK", jpegCMYK),
        ("pngEXIF6", pngEXIF6),
        ("pngGrey16", pngGrey16),
        ("pngRGBA16", pngRGBA16),
        ("pngPalette", pngPalette),
        ("pngGreyBits", pngGreyBits),
        ("pngInterlaced", pngInterlaced),
        ("webpLossy", webpLossy),
        ("webpAlpha", webpAlpha),
        ("webpEXIF6", webpEXIF6),
        ("webpAnimated", webpAnimated),
        ("gif", gif),
        ("gifInterlacedTransparent", gifInterlacedTransparent),
        ("tiffRGB", tiffRGB),
        ("tiffLZW", tiffLZW),
        ("tiffGrey16", tiffGrey16),
        ("tiffAlpha", tiffAlpha),
        ("heic", heic),
    ]

    static func data(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
}
