"""The program openvision-serve as a process of a check."""

import re
import subprocess
import threading


class Service:
    """A service on a free port that runs as long as the block. `status` is its exit status afterwards."""

    def __init__(self, program, *arguments):
        self.command = [program, "--port", "0", "--log-level", "notice", *arguments]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r"\bport=(\d+)", line):
                self.port = int(found[1])
                self.address = f"http://127.0.0.1:{self.port}"
                break
        else:
            raise SystemExit("The service did not start:\n" + "".join(self.log))
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.status = self.process.wait(120)
