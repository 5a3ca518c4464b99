#!/usr/bin/env python3
"""Compares the service with the tool and with FastAPI: `classify` of photographs of 1920 × 1080 pixels, in turns, with
1, 8 and 64 connections: requests a second, times and memory.

    service_table.py SERVE TOOL PHOTOS [--rounds 3] [--seconds 8] [--without-fastapi]

SERVE, TOOL: the programs openvision-serve and openvision. FastAPI runs with two workers of uvicorn in the environment
of this script's Python (service-requirements.txt), once with Pillow as it is and once with decoding at a reduced size.
PHOTOS: JPEG files (service_photos.py makes them).
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from service_load import measure

sys.path.append(str(Path(__file__).resolve().parent.parent))
from service_process import Service  # noqa: E402

FASTAPI_PORT = 18490
# FastAPI that tells Pillow to decode at a reduced size.
SCALED = "FastAPI, reduced"
PEERS = "FastAPI", SCALED


def start_fastapi(network, port, decodes_scaled):
    command = [sys.executable, "-m", "uvicorn", "--app-dir", str(Path(__file__).parent), "--workers", "2", "--port",
               str(port), "--log-level", "warning", "service_fastapi:app"]
    process = subprocess.Popen(
        command, env={**os.environ, "NETWORK": str(network), "SCALED_DECODING": str(int(decodes_scaled))})
    address = f"http://127.0.0.1:{port}"
    for _ in range(120):
        try:
            urllib.request.urlopen(address + "/openapi.json").read()
            return process, address
        except OSError:
            time.sleep(0.5)
    raise SystemExit("FastAPI did not start.")


def rate_of_tool(tool, paths, count, revision):
    """Photographs a second of `openvision worker`, without its start: that of one photograph is taken away."""
    request = {"name": "classify", **({"revision": revision} if revision else {})}

    def seconds(count):
        jobs = "".join(json.dumps({"path": str(paths[index % len(paths)]), "requests": [request]}) + "\n"
                       for index in range(count)).encode()
        start = time.monotonic()
        subprocess.run([tool, "worker", "--quiet"], input=jobs, check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - start
    return (count - 1) / (seconds(count) - seconds(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("serve", type=Path)
    parser.add_argument("tool", type=Path)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--network", type=Path, default=Path.home()
                        / ".cache/openvision/models/efficientnet-lite2/efficientnet_lite2.onnx")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--revision", type=int, help="of classify, for the service and the tool; 4 is in 8 bits")
    parser.add_argument("--without-fastapi", action="store_true")
    options = parser.parse_args()
    paths = sorted(options.photos.glob("*.jpg"))
    options.path = "/v1/classify" + (f"?revision={options.revision}" if options.revision else "")

    rows, tool = {}, []
    with contextlib.ExitStack() as stack:
        service = stack.enter_context(Service(options.serve, "--warm", "classify"))
        servers = {"service": (service.process, service.address)}
        for index, peer in enumerate([] if options.without_fastapi else PEERS):
            process, _ = servers[peer] = start_fastapi(options.network, FASTAPI_PORT + index, peer == SCALED)
            stack.callback(process.wait, 60)
            stack.callback(process.terminate)
        for _ in range(options.rounds):
            tool.append(rate_of_tool(options.tool, paths, 400, options.revision))
            print(f"tool              {tool[-1]:6.1f} photographs/s", flush=True)
            for count in options.connections:
                for name, (process, address) in servers.items():
                    options.address, options.pid = address, process.pid
                    row = measure(options, paths, count)
                    rows.setdefault((name, count), []).append(row)
                    print(f"{name:16}  {count:3} connections  {row['perSecond']:6.1f}/s  p50 {row['p50']:6.0f} ms  "
                          f"p99 {row['p99']:6.0f} ms  {row['megabytes']:5.0f} MB  {row['statuses']}", flush=True)

    def median(name, count, key):
        return statistics.median(row[key] for row in rows[name, count])

    base = statistics.median(tool)
    print(f"\nmedians of {options.rounds} rounds in turns; the tool: {base:.1f} photographs/s\n")
    print("server            connections  requests/s  of the tool  p50 ms  p99 ms  memory MB  other statuses")
    for (name, count), measured in rows.items():
        others = {status: sum(row["statuses"].get(status, 0) for row in measured)
                  for status in {key for row in measured for key in row["statuses"]} - {200}}
        rate = median(name, count, "perSecond")
        print(f"{name:16}  {count:11}  {rate:10.1f}  {rate / base:11.2f}  {median(name, count, 'p50'):6.0f}  "
              f"{median(name, count, 'p99'):6.0f}  {max(row['megabytes'] for row in measured):9.0f}  {others or '–'}")
    for peer, count in ((peer, count) for peer in PEERS for count in options.connections if (peer, count) in rows):
        ratios = [ours["perSecond"] / theirs["perSecond"] for ours, theirs in
                  zip(rows["service", count], rows[peer, count]) if theirs["perSecond"] > 0]
        ratio = statistics.median(ratios) if ratios else float("inf")
        print(f"service against {peer} at {count} connections: {ratio:.2f} times the requests a second")


if __name__ == "__main__":
    main()
