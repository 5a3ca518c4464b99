import VisionAlgorithms

/// Photographs with rectangles: what each is, the first half of the SHA-256 of the file, its name, and the corners from
/// the top left one on clockwise, x and y each, in pixels from the top left edge.
///
/// The corners were read off at enlarged crops, before anything was detected, to about a pixel: two at the magazines,
/// whose pages show at an edge, and at the label with round corners, whose sides were continued to where they meet. The
/// photographs are examples of OpenCV, and of the data set homogr, the tests of ZXing-C++, ImageNet and PASCAL VOC,
/// some of them reduced.
enum RectangleLabels {
    struct Label {
        var photo: KnownPhoto
        var kind: String
        var quad: PlanarQuad
    }

    static let all: [Label] = table.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: " ").map(String.init)
        let numbers = cells.dropFirst(3).compactMap(Double.init)
        guard numbers.count == 8 else { return nil }
        let corners = (0..<4).map { PlanarPoint(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) }
        return Label(
            photo: KnownPhoto(name: cells[2], digest: cells[1]), kind: cells[0],
            quad: PlanarQuad(
                topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3]))
    }

    private static let table = """
        board 9621899098adffa1 left01.jpg 224.5 60 535.5 46.6 529.5 303.7 231.5 285
        board c85b9426c3d8fcf1 left03.jpg 273 33 635.2 136.8 556.6 450.6 144.8 290
        board b490599dccfbfe5e left04.jpg 169 92 537.2 63.2 549.4 387.7 156.9 369
        board 1cb164db61b3bd52 left06.jpg 385.2 104 631.5 117.2 584.4 445 358 397.2
        board f7a0737894812a28 left08.jpg 256 55 519.2 76.8 453.7 470 136.4 383.6
        board 753939bc62d093c0 left09.jpg 197.3 30.5 526.6 110.8 477 346.6 162.2 347
        board 2637fb6dd5e557f4 left13.jpg 154.6 126.2 443.3 30 512.3 344.5 288.4 393.8
        board f7819b2fcc45fdef right02.jpg 12.4 70 399.5 120.2 336 432.6 96.5 370.5
        print 1094629c1e2ebbc8 box.png 140.5 19.4 281 20.8 279.7 203.6 138.7 203.1
        print 000cf81b7ce79501 sudoku.png 72.5 85.3 492.4 68.6 520.8 521.5 36.3 516
        magazine 9adf5ac0515acb62 LePoint1A.png 96.7 55 486.8 53.8 487.2 361.7 97.7 363.7
        magazine eb81f2d8f150d2fc LePoint1B.png 210 53.6 369.3 48.6 355 372.3 209 339.5
        magazine c03db51e05021064 LePoint3A.png 96.5 133 519.4 128.6 540.6 302.7 72.3 303.5
        poster c793328598926921 adamA.png 65.8 18 465.8 79.5 464.7 367.4 73.5 443.3
        poster 6f671db1bdd0cb8f adamB.png 147.9 78 519.5 34.8 502.6 420.8 143 345.9
        label 8036475d0fe1a057 02.webp 22.4 37.9 190.3 30 193.9 195.8 28.7 210.4
        label 79d36ee18173685c 05.webp 42.1 39.6 196 37.8 192.3 195.3 49.4 185.3
        label b37c68e23767d1cd 07.webp 38.4 43.6 204.4 40.5 203.7 209.1 33.7 207
        label b77368bf01315e70 09.webp 68.8 26.3 224.4 54 187.9 216.8 29.1 177.8
        label ba6e9841e61d1cb0 23.webp 53.2 24 181.3 46.8 169.8 201.2 40.7 216.8
        label cb4ac542f2ce1646 24.webp 16.4 4.8 192.9 22.9 175 189.2 22.6 160.6
        label 0be540cd47c190df dm-h.webp 34.2 18 166 18 166 161.6 34.2 161.6
        screen 837d53ada7e06036 dm-2.jpg 128.8 13.4 240.5 89.5 129 128.4 39.4 34.2
        label 95034d36d00ed395 37.webp 3.7 1 230.5 5 227 109.2 3.3 106
        filmstrip 6f55a8a10ffddf18 1.jpg 100.4 107.2 608 102 614.3 446.2 94.6 446
        box 9ea80c1004d7b559 n02971356_carton.jpg 64.7 67.8 336.8 56 409.5 122.3 3.8 143.3
        screen 987ceb8c3ce801f2 n03777754_modem.jpg 114.2 116.6 235.6 124.2 226.2 204.9 99.6 187.8
        screen dfa0dd91c23e3109 n04004767_printer.jpg 162.4 38.3 283.2 38.3 279.8 124.2 164.8 123.8
        door d58c1db5c3d83765 n04070727_refrigerator.jpg 97.5 27.4 252.5 28.2 240 415 103.5 415.5
        screen b7bdfdeafa463059 01437.jpg 32.5 13.4 150.4 17.6 151 87.3 31.2 89.5
        picture b7bdfdeafa463059 01437.jpg 62.3 30.4 126.8 31.9 127.1 80.1 62 80.2
        screen da478f984b1dec97 02215.jpg 68.8 42 203.9 40.9 203.9 124.5 68.1 124.9
        screen 0ab169fc4de15438 02278.jpg 18.8 20.9 153.1 49.1 164.1 145.5 10.4 142.5
        screen 06e77611c7ad2e56 02737.jpg 15.9 27 91.2 27 91.8 83 16.4 83
        screen 06e77611c7ad2e56 02737.jpg 135.2 26.5 209.8 26.3 210.3 82.2 135.5 82
        screen 3e24afdc3f7f746a 06645.jpg 18.9 41.4 99.9 42.3 100.2 103.3 21.4 104.5
        screen 3e24afdc3f7f746a 06645.jpg 110.7 43.8 173.5 44.3 172.5 91.3 110 89.9
        screen bccdc9b982232d24 06695.jpg 65.5 42.5 178.3 27.7 175.2 142.8 58 135
        """
}
