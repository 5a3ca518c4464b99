#!/usr/bin/env python3
"""Writes the manual pages of the command-line tool: one of the tool, one of each command, from what the tool says of
itself (`--experimental-dump-help`).

    man-pages.py BINARY FOLDER        writes FOLDER/openvision.1, FOLDER/openvision-track.1, …
    man-pages.py --self-test          checks the script on a small description
"""

import datetime
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ENVIRONMENT = [
    ("OPENVISION_MODELS", "The folder of the networks, and the only one that is searched."),
    ("OPENVISION_FFMPEG", "The folder of FFmpeg's libraries, which are loaded when a video is opened."),
    ("OPENVISION_ISA", "scalar, avx2, avx512 or avx512vnni: lowers the instruction set."),
]
FILES = [
    ("~/.cache/openvision/models", "The networks that 'openvision models install' has stored."),
    ("/usr/local/share/openvision/models, /usr/share/openvision/models", "Networks for all users."),
]
EXIT_CODES = [
    ("0", "Success."), ("1", "An error while running; the message explains it."), ("64", "An invalid command line."),
    ("130", "Interrupted by Ctrl-C: the files written so far are complete."),
]


def escaped(text):
    """Text for troff: backslashes, hyphens that must stay so, letters beyond ASCII, points at the start of lines."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def discussion(text):
    """Paragraphs; lines that are indented, or that end an introduction with a colon, stay as they are."""
    result = []
    for paragraph in text.strip().split("\n\n"):
        lines = paragraph.split("\n")
        filled = [line for line in lines if not line.startswith("  ")]
        result.append(".PP")
        if len(filled) == len(lines):
            result.append(escaped(" ".join(lines)))
            continue
        is_open = False
        for line in lines:
            if line.startswith("  ") != is_open:
                is_open = not is_open
                result += [".PP", ".nf", ".RS 4"] if is_open else [".RE", ".fi"]
            result.append(escaped(line[2:] if is_open else line))
        if is_open:
            result += [".RE", ".fi"]
    return result


def names_of(argument):
    forms = [("-" if name["kind"] != "long" else "--") + name["name"] for name in argument.get("names", [])]
    forms.sort(key=len)
    value = "" if argument["kind"] == "flag" else f" \\fI{escaped(argument['valueName'])}\\fR"
    return ", ".join(f"\\fB{escaped(form)}\\fR" for form in forms) + value


def description(argument):
    text = argument.get("abstract", "")
    values = argument.get("allValues", [])
    notes = ([f"values: {', '.join(values)}"] if values else []) + (
        [f"default: {argument['defaultValue']}"] if "defaultValue" in argument and "(default:" not in text else [])
    return escaped(text + (f" ({'; '.join(notes)})" if notes else ""))


def entries(arguments):
    result = []
    for argument in arguments:
        head = f"\\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "positional" else names_of(argument)
        result += [".TP", head, description(argument)]
    return result


def page(command, path, version, date):
    title = "-".join(path)
    visible = [a for a in command.get("arguments", []) if a["shouldDisplay"]]
    positional = [a for a in visible if a["kind"] == "positional"]
    options = [a for a in visible if a["kind"] != "positional"]
    subcommands = [c for c in command.get("subcommands", []) if c["shouldDisplay"] and c["commandName"] != "help"]
    synopsis = f"\\fB{escaped(' '.join(path))}\\fR" + (" [\\fIoptions\\fR]" if options else "")
    for argument in positional:
        name = f"\\fI{escaped(argument['valueName'])}\\fR" + ("..." if argument["isRepeating"] else "")
        synopsis += f" [{name}]" if argument["isOptional"] else f" {name}"
    if subcommands:
        synopsis += " \\fIcommand\\fR"
    lines = [
        f'.TH "{escaped(title).upper()}" "1" "{date}" "OpenVision {version}" "User commands"', ".nh", ".ad l",
        ".SH NAME", f"{escaped(title)} \\- {escaped(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS", synopsis]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION"] + discussion(command["discussion"])[1:]
    if subcommands:
        lines.append(".SH COMMANDS")
        for sub in subcommands:
            lines += [".TP", f"\\fB{escaped(' '.join(path[1:] + [sub['commandName']]))}\\fR", escaped(sub["abstract"])]
    if positional:
        lines += [".SH ARGUMENTS"] + entries(positional)
    if options:
        lines += [".SH OPTIONS"] + entries(options)
    if len(path) == 1:
        for heading, table in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES), ("EXIT STATUS", EXIT_CODES)):
            lines.append(f".SH {heading}")
            for name, text in table:
                lines += [".TP", f"\\fB{escaped(name)}\\fR", escaped(text)]
    others = ["-".join(path[:-1])] if len(path) > 1 else []
    others += [f"{title}-{sub['commandName']}" for sub in subcommands]
    if others:
        lines += [".SH SEE ALSO", ",\n".join(f"\\fB{escaped(name)}\\fR(1)" for name in others)]
    return "\n".join(lines) + "\n"


def pages(command, version, date, path=()):
    path = (*path, command["commandName"])
    yield "-".join(path) + ".1", page(command, list(path), version, date)
    for sub in command.get("subcommands", []):
        if sub["shouldDisplay"] and sub["commandName"] != "help":
            yield from pages(sub, version, date, path)


def self_test():
    flag = {"kind": "flag", "names": [{"kind": "long", "name": "quiet"}, {"kind": "short", "name": "q"}],
            "shouldDisplay": True, "valueName": "quiet", "abstract": "No bar.", "isOptional": True}
    level = {"kind": "option", "names": [{"kind": "long", "name": "level"}], "shouldDisplay": True, "valueName": "a|b",
             "abstract": "Favour one.", "allValues": ["a", "b"], "defaultValue": "a", "isOptional": True}
    hidden = dict(flag, shouldDisplay=False, names=[{"kind": "long", "name": "secret"}])
    photo = {"kind": "positional", "valueName": "photo", "isOptional": False, "isRepeating": True,
             "shouldDisplay": True, "abstract": ".hidden files too"}
    sub = {"commandName": "find", "abstract": "Find things.", "arguments": [photo, flag, level, hidden],
           "shouldDisplay": True, "discussion": "First\nparagraph.\n\nExamples:\n  tool find x \\\n    --level b"}
    root = {"commandName": "tool", "abstract": "A tool.", "arguments": [], "subcommands": [sub], "shouldDisplay": True}
    made = dict(pages(root, "1.0", "2026-01-01"))
    assert sorted(made) == ["tool-find.1", "tool.1"], made.keys()
    text = made["tool-find.1"]
    assert ".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nNo bar." in text, text
    assert "Favour one. (values: a, b; default: a)" in text and "secret" not in text, text
    assert "\\&.hidden" in text and "First paragraph." in text, text
    assert ".nf\n.RS 4\ntool find x \\e\n  \\-\\-level b\n.RE\n.fi" in text, text
    assert "\\fBfind\\fR\nFind things." in made["tool.1"] and "OPENVISION_MODELS" in made["tool.1"], made["tool.1"]
    print("man-pages: the self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    binary, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    run = lambda *arguments: subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout
    root = json.loads(run("--experimental-dump-help"))["command"]
    # The date of the sources, so that two packages of the same sources are the same.
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.datetime.fromtimestamp(int(epoch) if epoch else time.time(), datetime.timezone.utc)
    date = day.strftime("%Y-%m-%d")
    for name, text in pages(root, run("--version").strip(), date):
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
