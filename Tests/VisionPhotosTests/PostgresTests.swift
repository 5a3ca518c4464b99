import Foundation
import ModelTestSupport
import VisionThreads
import XCTest

@testable import VisionPhotos

/// An index in PostgreSQL: the same as one in a file, also when several programs add to it.
final class PostgresTests: XCTestCase {
    private nonisolated(unsafe) static var server: PostgresServer?
    private nonisolated(unsafe) static var databases = 0

    override static func tearDown() { server = nil }

    private func database() throws -> String {
        if Self.server == nil { Self.server = try PostgresServer() }
        Self.databases += 1
        return try XCTUnwrap(Self.server).makeDatabase("photos\(Self.databases)")
    }

    private func server() throws -> PostgresServer { try XCTUnwrap(Self.server) }

    // MARK: The same as a file

    func testAnIndexFollowsItsFolderAsAFileDoes() throws {
        let folder = try PrintedFolder()
        let (file, address) = (folder.scratch.path("index.db"), try database())
        func check(_ what: String) throws {
            var summaries: [IndexRun.Summary] = []
            for name in [file, address] { summaries.append(try folder.run(into: name)) }
            XCTAssertEqual(summaries[0], summaries[1], what)
            for isExact in [true, false] {
                XCTAssertEqual(
                    try folder.nearest(to: "photo 3", in: file, isExact: isExact),
                    try folder.nearest(to: "photo 3", in: address, isExact: isExact), what)
            }
        }
        for number in 0..<40 { try folder.write("f\(number % 3)/\(number).jpg", "photo \(number)") }
        try folder.write("copy.jpg", "photo 3")
        try folder.write("noise.jpg", "bad")
        try folder.write("odd name ' \\ \u{1F4F7}.jpg", "odd")
        try check("first")
        XCTAssertEqual(try folder.nearest(to: "photo 3", in: address).first?.distance, 0)
        try check("nothing changed")
        try folder.write("f0/0.jpg", "newer")
        try FileManager.default.removeItem(atPath: folder.path("f1/1.jpg"))
        try FileManager.default.moveItem(atPath: folder.path("f2/2.jpg"), toPath: folder.path("moved.jpg"))
        try FileManager.default.copyItem(atPath: folder.path("f0/6.jpg"), toPath: folder.path("f1/copied.jpg"))
        try check("changes")
        try FileManager.default.removeItem(atPath: folder.path("noise.jpg"))
        for number in stride(from: 3, to: 40, by: 3) {
            try FileManager.default.removeItem(atPath: folder.path("f0/\(number).jpg"))
        }
        try check("removed")
        let prints = try server().sql("SELECT count(*) FROM openvision_prints", in: "photos\(Self.databases)")
        XCTAssertEqual(
            Int(prints), try Database(path: file, access: .read).number("SELECT count(*) FROM prints"),
            "prints without photos are gone")
        XCTAssertEqual(try server().sql("SELECT count(*) FROM openvision_work", in: "photos\(Self.databases)"), "0")
    }

    func testAnotherFolderAndAnEmptyOneAreErrors() throws {
        let (folder, other, address) = (try PrintedFolder(), try PrintedFolder(), try database())
        try folder.write("a.jpg", "a")
        try folder.run(into: address)
        try other.write("a.jpg", "a")
        XCTAssertEqual(kind { _ = try other.run(into: address) }, .mismatch)
        try FileManager.default.removeItem(atPath: folder.path("a.jpg"))
        XCTAssertEqual(kind { _ = try folder.run(into: address) }, .mismatch, "an empty folder")
        let empty = try PrintedFolder()
        var (lost, moved) = (empty.run(), other.run())
        (lost.isRelocated, moved.isRelocated) = (true, true)
        let index = try PostgresIndex(writing: address)
        XCTAssertEqual(kind { _ = try index.update(by: lost, kind: PrintedFolder.kind, .init()) }, .mismatch)
        XCTAssertEqual(try PrintStores.open(reading: address).collection()?.folder, folder.folder, "not moved")
        XCTAssertEqual(
            try server().sql(
                """
                SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """, in: "photos\(Self.databases)"), "0", "the run that failed holds no lock")
        // On the same connection.
        XCTAssertEqual(try index.update(by: moved, kind: PrintedFolder.kind, .init()).photos, 1)
        XCTAssertEqual(try PrintStores.open(reading: address).collection()?.folder, other.folder)
    }

    func testSchemasHaveIndexesOfTheirOwn() throws {
        let (folder, other, address) = (try PrintedFolder(), try PrintedFolder(), try database())
        try folder.write("a.jpg", "a")
        try other.write("b.jpg", "b")
        try folder.run(into: address)
        try server().sql("CREATE SCHEMA \"Other's\"", in: "photos\(Self.databases)")
        let second = address + "&options=-csearch_path%3D%22Other's%22%2Cpublic"
        XCTAssertEqual(kind { _ = try PrintStores.open(reading: second) }, .foreign, "no index there")
        XCTAssertEqual(try other.run(into: second), .init(photos: 1, new: 1, prints: 1))
        XCTAssertEqual(try folder.nearest(to: "a", in: address).map(\.path), [folder.path("a.jpg")])
        XCTAssertEqual(try other.nearest(to: "a", in: second).map(\.path), [other.path("b.jpg")])
    }

    func testTheApproximateIndexFindsNearlyAll() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        for number in 0..<3000 { try folder.write("\(number).jpg", "\(number % 60) of \(number)") }
        try folder.run(into: address)
        let index = try PostgresIndex(reading: address)
        // The server would compare so few prints one by one.
        try index.connection.run("SET enable_seqscan = off")
        let plan = try index.connection.rows(
            """
            EXPLAIN SELECT id FROM openvision_prints ORDER BY print::halfvec(64) <-> \
            (SELECT print FROM openvision_prints LIMIT 1)::halfvec(64) LIMIT 200
            """)
        XCTAssertTrue("\(plan)".contains("openvision_prints_near"), "\(plan)")
        var (found, wanted) = (0, 0)
        for query in 0..<100 {
            let text = "\(query % 60) of query \(query)"
            let exact = Set(try folder.nearest(to: text, in: index, isExact: true).map(\.path))
            found += Set(try folder.nearest(to: text, in: index).map(\.path)).intersection(exact).count
            wanted += exact.count
        }
        XCTAssertEqual(wanted, 1000)
        XCTAssertGreaterThanOrEqual(Double(found) / Double(wanted), 0.95)
    }

    // MARK: Several programs

    func testSeveralRunsAtOnceReadEachPhotoOnce() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        for number in 0..<500 { try folder.write("\(number).jpg", "photo \(number)") }
        // The first to come makes the tables while the others wait.
        let summaries = Locked<[Result<IndexRun.Summary, any Error>]>([])
        let group = DispatchGroup()
        for _ in 0..<3 {
            group.enter()
            Thread.detachNewThread {
                let summary = Result { try folder.run(into: address) }
                summaries.withLock { $0.append(summary) }
                group.leave()
            }
        }
        group.wait()
        let all = try summaries.withLock { try $0.map { try $0.get() } }
        XCTAssertEqual(all.reduce(0) { $0 + $1.new }, 500)
        XCTAssertEqual(all.reduce(0) { $0 + $1.prints }, 500)
        XCTAssertEqual(folder.made.withLock { $0 }, 500, "no photo is read twice")
        XCTAssertEqual(all.map(\.photos), [500, 500, 500], "each ends when all are done")
        XCTAssertEqual(try folder.run(into: address), .init(photos: 500, unchanged: 500))
    }

    func testAStoppedRunGivesBackItsClaimsAndKeepsThePrints() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        let name = "photos\(Self.databases)"
        for number in 0..<300 { try folder.write("\(number).jpg", "photo \(number)") }
        try folder.run(into: address)
        // All photos have new names and contents' prints are known; the system's numbers of the files are new as well.
        for number in 0..<300 {
            try folder.write("new \(number).jpg", "photo \(number)")
            try FileManager.default.removeItem(atPath: folder.path("\(number).jpg"))
        }
        let done = Locked(0)
        let stopped = try folder.run(
            into: address,
            .init(progress: { count, _ in done.withLock { $0 = count } }, isInterrupted: { done.withLock { $0 } > 40 }))
        XCTAssertTrue(stopped.isInterrupted)
        XCTAssertLessThan(stopped.moved, 300)
        XCTAssertEqual(
            try server().sql("SELECT count(*) FROM openvision_work WHERE owner IS NOT NULL", in: name), "0")
        let made = folder.made.withLock { $0 }
        XCTAssertEqual(made, 300)
        let rest = try folder.run(into: address)
        XCTAssertEqual(rest.photos, 300)
        XCTAssertEqual(stopped.moved + rest.moved, 300)
        XCTAssertEqual(folder.made.withLock { $0 }, 300, "no print is made twice")
    }

    func testAClaimEndsWithItsOwnerOrItsLease() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        for number in 0..<10 { try folder.write("\(number).jpg", "photo \(number)") }
        let index = try PostgresIndex(writing: address)
        try index.prepare(.init(folder: folder.folder, kind: PrintedFolder.kind), mayMove: false) { _ in fatalError() }
        let comparison = try FolderComparison(index)
        _ = try FolderWalk(root: folder.folder).run { try comparison.add($0) }
        XCTAssertEqual(try comparison.apply().pending, 10)
        let claims = try PhotoClaims(index)
        let first = try claims.next(4)
        XCTAssertEqual(first.count, 4)

        func owner() throws -> (index: PostgresIndex, claims: PhotoClaims) {
            let index = try PostgresIndex(writing: address)
            return (index, try PhotoClaims(index))
        }
        var second: (index: PostgresIndex, claims: PhotoClaims)? = try owner()
        let others = try XCTUnwrap(second).claims.next(100)
        XCTAssertEqual(others.count, 6)
        XCTAssertTrue(Set(others.map(\.path)).isDisjoint(with: first.map(\.path)))
        XCTAssertEqual(try claims.next(100), [], "all are claimed")
        // A program that uses another database has the same number there.
        let number = try server().sql(
            "SELECT max(owner) FROM openvision_work", in: "photos\(Self.databases)")
        let elsewhere = try PostgresConnection(address: server().address("postgres"))
        try elsewhere.run("SELECT pg_advisory_lock(\(PhotoClaims.ownerClass), \(number))")
        defer { withExtendedLifetime(elsewhere) {} }
        // Its connection ends.
        second = nil
        var again: [IndexChanges.Pending] = []
        for _ in 0..<100 where again.isEmpty {
            again = try claims.next(100)
            usleep(20_000)
        }
        XCTAssertEqual(again.map(\.path), others.map(\.path))
        // The connection is there, and nothing happens for long.
        let third = try owner()
        XCTAssertEqual(try third.claims.next(100), [])
        try server().sql(
            "UPDATE openvision_work SET lease_end = clock_timestamp() - interval '1 s' WHERE path <= '3.jpg'",
            in: "photos\(Self.databases)")
        XCTAssertEqual(try third.claims.next(100).map(\.path.text), ["0.jpg", "1.jpg", "2.jpg", "3.jpg"])
    }

    func testWhatOthersStoredAfterTheWalkBeganStays() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        try folder.write("old.jpg", "old")
        try folder.run(into: address)
        let index = try PostgresIndex(writing: address)
        try index.connection.findVectorType()
        let comparison = try FolderComparison(index)
        try folder.write("new.jpg", "new")
        XCTAssertEqual(try folder.run(into: address).new, 1)
        // The walk of this run came before the new photo, and saw no photo at all.
        XCTAssertEqual(try comparison.apply(), .init(vanished: 1))
        XCTAssertEqual(try folder.nearest(to: "new", in: address).map(\.path), [folder.path("new.jpg")])
    }

    func testAPhotoThatWasReadByAnotherRunMeanwhileIsNotReadAgain() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        try folder.write("a.jpg", "a")
        try folder.run(into: address)
        try server().sql(
            "INSERT INTO openvision_work SELECT path, size, modified, now() FROM openvision_photos",
            in: "photos\(Self.databases)")
        let index = try PostgresIndex(writing: address)
        let claims = try PhotoClaims(index)
        XCTAssertEqual(try claims.next(5), [])
        XCTAssertEqual(try claims.remaining, 0)
    }

    func testAPhotoWhosePrintIsTakenAwayIsReadAgain() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        try folder.write("a.jpg", "a")
        try folder.run(into: address)
        try folder.write("b.jpg", "b")
        let index = try PostgresIndex(writing: address)
        try index.connection.findVectorType()
        let comparison = try FolderComparison(index)
        _ = try FolderWalk(root: folder.folder).run { try comparison.add($0) }
        XCTAssertEqual(try comparison.apply().pending, 1)
        let claims = try PhotoClaims(index)
        let photo = try XCTUnwrap(try claims.next(1).first)
        let stamp = FileStamp(size: 1, modified: 1, node: 1)
        let lost = PhotoIndex.Reading.known(stamp: stamp, digest: [UInt8](repeating: 7, count: 32), earlier: nil)
        XCTAssertEqual(try index.store([(photo, lost)], claims), [])
        XCTAssertEqual(try claims.next(1).map(\.path), [photo.path])
    }

    // MARK: Errors

    private func kind(_ body: () throws -> Void) -> DatabaseError.Kind? {
        do {
            try body()
            return nil
        } catch let error as DatabaseError {
            for secret in [PostgresServer.password, "pa%3A", "w/rd", "w%2Frd"] {
                XCTAssertFalse("\(error)".contains(secret), "\(error)")
            }
            return error.kind
        } catch {
            XCTFail("\(error)")
            return nil
        }
    }

    func testServersThatRefuseAreErrorsOfTheirKinds() throws {
        _ = try database()
        let server = try server()
        func kind(_ address: String) -> DatabaseError.Kind? { self.kind { _ = try PrintStores.open(writing: address) } }
        XCTAssertEqual(kind("postgresql://127.0.0.1:1/photos"), .unreachable)
        XCTAssertEqual(kind("postgresql://tester:pa%3Ass@no-such-host.invalid/photos"), .unreachable)
        XCTAssertEqual(kind("postgresql:///photos?host=/nonexistent"), .unreachable)
        XCTAssertEqual(kind(server.address("postgres", password: "w%2Frd")), .refused)
        XCTAssertEqual(kind(server.address("postgres", user: "nobody")), .refused)
        XCTAssertEqual(kind(server.address("missing")), .refused)
        // A password whose special characters are not encoded must not end up in a message.
        for address in [
            "postgresql://tester:pa:ss@w/rd@localhost/photos", "postgresql://tester:pa/w/rd@localhost/photos",
            "postgresql://tester:12/w/rd@localhost/photos", "postgresql://tester:x@localhost/photos?pa%3A=w%2Frd",
            "postgresql://[w/rd",
        ] {
            XCTAssertEqual(kind(address), .io, address)
        }
    }

    func testServersThatLackSomethingAreErrorsOfTheirKinds() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        let (server, name) = (try server(), "photos\(Self.databases)")
        try folder.write("a.jpg", "a")
        XCTAssertEqual(kind { _ = try PrintStores.open(reading: address) }, .foreign, "no index yet")
        // No pgvector: its folder is not where the server looks for extensions.
        try server.sql("ALTER DATABASE \(name) SET extension_control_path = '/nonexistent'")
        XCTAssertEqual(kind { _ = try folder.run(into: address) }, .unsupported)
        try server.sql("ALTER DATABASE \(name) RESET extension_control_path")
        // A user who may not make tables.
        try server.sql("CREATE ROLE guest LOGIN PASSWORD 'pa:ss@w/rd'")
        XCTAssertEqual(
            kind { _ = try folder.run(into: server.address(name, user: "guest")) }, .refused)
        try folder.run(into: address)
        XCTAssertEqual(
            kind { _ = try PrintStores.open(reading: server.address(name, user: "guest")) }, .refused)
        // Prints of another kind, a newer format, another program's tables.
        try server.sql("UPDATE openvision_index SET revision = 9", in: name)
        XCTAssertEqual(kind { _ = try folder.run(into: address) }, .mismatch)
        try server.sql("UPDATE openvision_index SET format = 99", in: name)
        XCTAssertEqual(kind { _ = try folder.run(into: address) }, .newer)
        XCTAssertEqual(kind { _ = try PrintStores.open(reading: address) }, .newer)
        try server.sql("ALTER TABLE openvision_index RENAME COLUMN folder TO place", in: name)
        XCTAssertEqual(kind { _ = try PrintStores.open(reading: address) }, .foreign)
    }

    func testPathsThatLeadOutOfTheFolderAreErrors() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        try folder.write("a.jpg", "a")
        try folder.run(into: address)
        try server().sql("UPDATE openvision_photos SET path = '../a.jpg'", in: "photos\(Self.databases)")
        XCTAssertEqual(kind { _ = try folder.nearest(to: "a", in: address) }, .damaged)
    }

    func testDamagedTablesAreToBeDropped() throws {
        let connection = try PostgresConnection(address: try database())
        for sql in ["SELECT 1.5::float8", "SELECT 'a'"] {
            XCTAssertThrowsError(try connection.number(sql)) { error in
                XCTAssertEqual((error as? DatabaseError)?.kind, .damaged, sql)
                XCTAssertTrue("\(error)".contains("drop its tables"), "\(error)")
            }
        }
    }

    func testACutConnectionIsAnErrorAndLosesNothing() throws {
        let (folder, address) = (try PrintedFolder(), try database())
        for number in 0..<200 { try folder.write("\(number).jpg", "photo \(number)") }
        let (server, name) = (try server(), "photos\(Self.databases)")
        let isCut = Locked(false)
        let error = kind {
            _ = try folder.run(
                into: address,
                .init(progress: { done, _ in
                    guard done == 60, !isCut.withLock({ $0 }) else { return }
                    isCut.withLock { $0 = true }
                    _ = try? server.sql(
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(name)'")
                }))
        }
        XCTAssertEqual(error, .disconnected)
        let stored = Int(try server.sql("SELECT count(*) FROM openvision_photos", in: name)) ?? -1
        let summary = try folder.run(into: address)
        XCTAssertEqual(summary.photos, 200)
        XCTAssertEqual(summary.new, 200 - stored)
    }

    func testVersionsAreComparedNumberByNumber() {
        for (version, isNew) in [
            ("0.6.2", false), ("0.7.0", true), ("0.10.1", true), ("1.0", true), ("0.7", false), ("", false),
            ("0.8.5dev", true),
        ] {
            XCTAssertEqual(PostgresIndex.isVersion(version, atLeast: "0.7.0"), isNew, version)
        }
    }
}
