/// What `RenderingTests` compares with: the mean colours of 16 × 12 fields of a drawing, red, green and blue.
enum RenderingReferences {
    static let fields: [String: String] = [
        "body": """
        KCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa\
        5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0KCw0KCw0JjRCKUJVztfX5OLa5OLa39nP5OLa5OLa5OLa5OLaKCw0KCw0\
        KCw0KCw0KCw0JjhIJjhIKCw0y9XWr8bR4+HZ3cm05OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0NUJJJklbOktJQVJOwdDUq8XRtsvT\
        zMGy5OLa5OLa5OLa5OLaKCw0KCw0JyszJT5TLjQ7PjQvVD4vS0Qxkq2EmLnBuMzUsre05OLa5OLa5OLa5OLaKCw0KCw0KzI7Jy03\
        JyszaUYrKiwzLDhEoL3LwdDVwc/T3cm05OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0KCw0TDgsSDctQ0dKvs/V3N3Y5OLa3cm05OLa\
        5OLa5OLa5OLaKCw0KCw0KCw0KCw0KCw0TjwwRDYuTTks1LCP28iz3cm02MKs5OLa5OLa5OLa5OLaJyoyJioyJioyJioyJioyJysz\
        KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLaDyY1JSYoKywtISIkKSosExUZKCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa\
        5OLaMx8RJSYoKywtHyAiLi4wHiAjKCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLa
        """,
        "boxes": """
        KCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa\
        5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0LV5BNJVPM5FNLmBBJysyJysyJysz5OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KT43\
        KTo3KTo3KTo3KTo3cE86b0455b6s5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KDk2KCw0KCw0KCw0JyszeFBNfFRIvp6X3NHH4NfN\
        39bN39XM3c/E5OLa5OLaKCw0KDk2KCw0KCw0KCw0JioyKTZFKDk2ztbX3tzV5OLa5OLa5OLa39bM5OLa5OLaKCw0KDk2KCw0KCw0\
        KCw0JioyKTZFKDk2ztbX3tzV5OLa5OLa5OLa4NfN5OLa5OLaKCw0KDc2KDk2KDk2KDk2Jzc1MmmXMWqSdarR3t7Y5OLa5OLa5OLa\
        4NfN5OLa5OLaKCw0KCw0KCw0KCw0KCw0JyszNFFuLlJyo8LW4eHa5OLa5OLa5OLa4NfN5OLa5OLaKCw0KCw0KCw0KCw0KCw0Jysz\
        My80KCw05OLa5OLa5OLa5OLa5OLa39bM5OLa5OLaKCw0KCw0KCw0KCw0KCw0JyszPDEzNC8z3tTJ39TK4NfN39bN39XM3c/E5OLa\
        5OLaKCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLa
        """,
        "face": """
        KCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa\
        5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0KTY2L2JCLmFCLmFCnMyjm8ui193Q4uHY5OLa5OLa5OLa5OLaKCw0KCw0\
        KCw0KCw0KDM1KC80KC80KC803d7U3d7U3d7U1drO5OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0KDI1KCw0Ni03MzlD0dnb4uDT5OLa\
        1tvP5OLa5OLa5OLa5OLaJSkwJSkwJSkwJyszKDI1KCw0UDM+LjE509zK5NzI5OLa1tvP5OLa5OLa5OLa5OLaNDAqKSkrDQ4QHyIo\
        KDI1KCw0SD5ILDA30trK2dbL4dfQ0s3B5OLa5OLa5OLa5OLaKDI2KywuCwwOHyIoKDI1KCw0QkRMKy8229rSwsW94dnR1tvP5OLa\
        5OLa5OLa5OLaIjAoJygqHB0eISQqKDI1KCw0KCw0Oj1E3uLW4N/Z5OLa1tvP5OLa5OLa5OLa5OLaLiInLi8xDQ4QHyIoKDE0KDI1\
        KDI1KDI11tvP1tvP1tvP2dzR5OLa5OLa5OLa5OLaOSQ3MzQ2GBkbHyIoKCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa\
        5OLaHicoJygqGhsdHyIoKCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLa
        """,
        "hand": """
        KCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0JyszKCw0KCw0KCw05OLa\
        5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0KCw0JyszPzZQKCw0KCw0KUdf4+HZ5OLa5OLa2M/T5OLa5OLa5OLa5OLaKCw0KCw0\
        KCw0KCw0PzRRJyszJy85JjtOucbTy8TK1MTUzbjS5OLa5OLa5OLa5OLaKCw0KCw0KCw0KCw0MTU9PDdMPkJkXE9OpLe3uc/A2tDW\
        3NTX5OLa5OLa5OLa5OLaKCw0KCw0KCw0NjFGPjNQU0dpOFJbWlk+tKmKg66xo6vNqMLP5OLa5OLa5OLa5OLaKCw0KCw0LzA7QDRS\
        PTNPTktgSWFsYGBGxq6UlKimrbrG5OLa5OLa5OLa5OLa5OLaHSAmHSAmHSAmHR8lHR8lIDA9PjlZPFpTp8W/vr3AydTW0djX5OLa\
        5OLa5OLa5OLaQyUcLS0vMzQ1HyAiExQWGC9BPENpKC44v8S92dXS5OLaxdHT5OLa5OLa5OLa5OLaLj0cLS4wP0BBNjc5NTY4HR8k\
        KCw1PjNP08PU5OLa5OLa5OLa5OLa5OLa5OLa5OLaECc2IyQmLi8xMjM1HR4gGBofKCw0RjlY4NrY5OLa5OLa5OLa5OLa5OLa5OLa\
        5OLaKhw2KCkqKistLC0uGBgaGBofKCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLa
        """,
        "heat": """
        GhoaGhoaGhoaGhoaGhoaGhoaGhoaGRkagoKHeHibc3Srfn6OhYWGhoaGh4eHh4eHGhoaGhoaGhoaGhoaGhoaGhoaGRkaGBgfeXma\
        a3q3ZIezcnWrfn6NhYWGhoaGh4eHGhoaGhoaGhoaGhoaGhoaGRkaGBgfFhc7a3q3YKKdaLqIY4qxcnWrfn6NhYWGhoaGGhoaGhoa\
        GhoaGhoaGRkaGBgfFhc7EyNjYKKdhM1wn8pka72FY4qxcnWrfn6NhYWGGhoaGhoaGhoaGRkaGBgfFhc7EyNjE1VVhM1wwbJj2Z1m\
        o8dla72FY4qxcnWrfn6OGhoaGhoaGhoaGRkaFxgnFRdPEjZmG29Bn8pk2Z1m6YhovbVjgc5yX56gbHi3eXmYGhoaGhoaGhoaGhoa\
        GRkaFxgpFBlSETlka72Fo8dlvbVjhM1wYKKda3q3eXmagoKHGhoaGhoaGhoaGhoaGhoaGRkaFxgpFBlSY4qxa72Fgc5yYKKda3q3\
        eXmagoKHhoaGGhoaGhoaGhoaGhoaGhoaGhoaGRkaFxgpcnWrY4qxX56ga3q3eXmagoKHhoaGh4eHGhoaGhoaGhoaGhoaGhoaGhoa\
        GhoaGRkafn6NcnWrbHi3dXWWVy8ySUlJT09POjo6GhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoahYWGfn6NeXmYfXyBLUkjQEBAS0tL\
        NTU1GhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoahoaGhYWGg4OGgYGBICRKQUFBMjIyJycn
        """,
        "masks": """
        KCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoaGho\
        aGhoaGhoaGhoaGhoaGhoaGhoaGhoKCgoKCgoKTEsMGJCM3NKMWRDKTIsKCgoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoKCgoKCgo\
        MGJCNHhMNHhMNHhMMWZEKCgoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoKCgoKCgoM3NKNHhMNHhMNHhMM3dLKCgoaGhocGtqnoF3\
        n4J3cmxqaGhoaGhoaGhoKCgoKCgoMWRDNHhMNHhMNHhMMWhEKCgocGtq3p+J8qmP8qmP4qGKc21raGhoaGhoKCgoKCgoKTIsMWZE\
        M3dLMWhEKTQtKCgonoF38qmP8qmP8qmP8qmPpYR5aGhoaGhoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgon4J38qmP8qmP8qmP8qmP\
        poV5aGhoaGhoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgocmxq4qGK8qmP8qmP5aOLdW5raGhoaGhoKCgoKCgoKCgoKCgoKCgoKCgo\
        KCgoKCgoaGhoc21rpYR5poV5dW5raGhoaGhoaGhoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoaGhoaGhoaGhoaGhoaGhoaGhoaGho\
        aGhoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGho
        """,
        "matrix": """
        ////////////////////////////////+vr6+Pj49PT09PT0+Pj48/Pz+Pj4/Pz8////////////////////////////////7+/v\
        6+vr6enp7Ozs8PDw6Ojo6urq+/v7////////////////////////////////////5eXl////////////////////////////////\
        ////////////////////////////39/f/v7+/Pz8////////////////////////////////////////////////////zs7O9vb2\
        4+Pj////2NjY////////////////////////////////////////////1tbW////0dHR9PT029vb////////////9fX1////////\
        ////////////////5ev1s7/Q7uvv4NbV8vDw7+/v/v7+////////2NjY7u7u2NjY3t7e3d3d4+Pj5ubmh6fRO2+0s6a406mn8Ono\
        8vLy/f39////////4uLi////////9/f38vLy8/Pz9vb24Obwx9PklqrMdI270be82rGt+/f3////////4ODg////////7e3t4+Pj\
        8fHx9fX1+Pj48/PznbbWb5XGtqKytpOd+PT1////////9vb2////////9vb22dnZ2dnZ5ubm9/f38vLy8/Pz8vLyWoW/K2Ov5+32\
        /////////////////////////////////////Pz8+/v7+/v7+/v7ztvsvc7m+Pn8////
        """,
        "quads": """
        KCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0LjAzw5wlvpgkv5gkwJokuZQj2rQ+\
        38V35OLa5OLa5OLa5OLa5OLa5OLaKCw0KCw0PTswPTswOzkwOzkwOzkwOzkw3NW+3NW+3NW+3NW+3da/4d3P5OLa5OLaKCw0KCw0\
        OzkwKCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa4uDY2tO65OLa5OLaKCw0KCw0OzkwKCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa\
        5OLa5OLa3NW+5OLa5OLaKCw0KCw0OzkwKCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa4+HZ3NW+5OLa5OLaKCw0KCw0OzkwKCw0\
        KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa4NvM4NvM5OLa5OLaKCw0KCw0OzkwKCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa3NW+\
        4+HZ5OLa5OLaKCw0KSwzPDowJyszKCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa3NW+5OLa5OLa5OLaKCw0KCwzOTgxOzkwOzkwOzkw\
        OzkwOzkw3NW+3NW+3NW+3da/29K25OLa5OLa5OLaKCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa4uDY4d7U5OLa5OLa\
        5OLaKCw0KCw0KCw0KCw0KCw0KCw0KCw0KCw05OLa5OLa5OLa5OLa5OLa5OLa5OLa5OLa
        """,
        "sheet": """
        3MPD08PD08PD08PD08PD3czM1tbW1tbW1tbW1tbW4eHh1tbW1tbW1tbW1tbW4eHh08PDyMjIyMjIyMjIyMjI08PDyMjIyMjIyMjI\
        yMjI1tbWyMjIyMjIyMjIyMjI1tbW08PDyMjIyMjIyMjIyMjI08PDyMjIyMjIyMjIyMjI1tbWyMjIyMjIyMjIyMjI1tbW08PDyMjI\
        yMjIyMjIyMjI08PDyMjIyMjIyMjIyMjI1tbWyMjIyMjIyMjIyMjI1tbW08PDyMjIyMjIyMjIyMjI08PDyMjIyMjIyMjIyMjI1tbW\
        yMjIyMjIyMjIyMjI1tbW8OPj7t/f69zc69vb69zc8ezs8fHx8PDw7u7u7+/v8vLy8PDw7+/v7u7u7u7u8vLy29vbz8/Pz8/Pz8/P\
        z8/P29vbz8/Pz8/Pz8/Pz8/P5+fn////////////////////1tbWyMjIyMjIyMjIyMjI1tbWyMjIyMjIyMjIyMjI5OTk////////\
        ////////////1tbWyMjIyMjIyMjIyMjI1tbWyMjIyMjIyMjIyMjI5OTk////////////////////1tbWyMjIyMjIyMjIyMjI1tbW\
        yMjIyMjIyMjIyMjI5OTk////////////////////2trazMzMzMzMzMzMzMzM2trazMzMzMzMzMzMzMzM5ubm////////////////\
        ////9PT09PT08PDw8PDw8fHx9PT08vLy8vLy8PDw8fHx9vb2////////////////////
        """,
    ]
}
