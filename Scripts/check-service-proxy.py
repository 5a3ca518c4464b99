#!/usr/bin/env python3
"""Checks what Documentation/Service.md says about running the service: `systemd-analyze verify` accepts the unit, nginx
accepts the configuration, and the service answers through that proxy.

    check-service-proxy.py SERVE [--nginx PROGRAM]

SERVE: the program openvision-serve, as `make install-service` installs it. The unit is not checked where there is no
systemd-analyze.
"""

import argparse
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from service_process import Service

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "Documentation" / "Service.md").read_text()
PHOTO = (ROOT / "Tests" / "GuideTests" / "Photos" / "cat.jpg").read_bytes()

CONFIGURATION = """
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    server {{
        listen 127.0.0.1:{port};
{location}
    }}
}}
"""

failures = []


def expect(condition, what):
    print(("  ok      " if condition else "  FAILED  ") + what)
    if not condition:
        failures.append(what)


def block(language):
    """The code block of a language in the guide."""
    return re.search(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)[1]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def send(address, body=None, headers=None):
    """The status, the headers and the body of an answer."""
    try:
        answer = urllib.request.urlopen(urllib.request.Request(address, body, headers or {}), timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    return answer.status, answer.headers, answer.read()


def check_unit(program, folder):
    if not shutil.which("systemd-analyze"):
        print("  left out: there is no systemd-analyze")
        return
    unit = folder / "openvision.service"
    unit.write_text(block("ini").replace("/usr/local/bin/openvision-serve", str(program)))
    result = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    expect(result.returncode == 0 and not result.stderr, f"systemd accepts the unit {result.stderr}")


def check_proxy(nginx, service, folder):
    port, file = free_port(), folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(
        folder=folder, port=port, location=block("nginx").replace("127.0.0.1:8080", f"127.0.0.1:{service.port}")))
    command = [nginx, "-c", file, "-p", folder]
    result = subprocess.run([*command, "-t"], capture_output=True, text=True)
    expect(result.returncode == 0, f"nginx accepts the configuration: {result.stderr.strip().splitlines()[-1]}")
    if result.returncode:
        return
    proxy = subprocess.Popen([*command, "-g", "daemon off;"])
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(address + "/healthz")
                break
            except OSError:
                time.sleep(0.1)
        image = {"Content-Type": "image/jpeg"}
        status, headers, body = send(address + "/v1/classify?top=2", PHOTO, image)
        expect(status == 200 and len(json.loads(body)["results"]["classify"]) == 2, "a photograph is classified")
        expect(json.loads(body) == json.loads(send(service.address + "/v1/classify?top=2", PHOTO, image)[2]),
               "with the answer of the service")
        expect(re.fullmatch("[0-9a-f]{32}", headers["X-Request-Id"] or "") is not None,
               "the request has the number of the proxy")
        expect(send(address + "/")[0] == 200, "the page is there")
        expect(send(address + "/v1/classify", b"x", image)[0] == 422, "errors of the service arrive")
        expect(send(address + "/v1/classify", bytes(34 << 20), image)[0] == 413, "larger bodies end at the proxy")
    finally:
        proxy.terminate()
        proxy.wait(30)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("serve", type=Path)
    parser.add_argument("--nginx", default=shutil.which("nginx") or "/usr/sbin/nginx")
    options = parser.parse_args()
    program = options.serve.resolve()
    with tempfile.TemporaryDirectory() as name:
        check_unit(program, Path(name))
        with Service(program) as service:
            check_proxy(options.nginx, service, Path(name))
        expect(service.status == 0, "the service ends by itself")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
