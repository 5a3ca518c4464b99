"""Reads the public symbols of Swift modules from their source.

It needs no build: it follows the nesting of types and extensions, skips bodies, and reads names, argument labels,
parameter types, access and doc comments. All branches of `#if` count. Declarations that `@available` makes unavailable
are not public: code cannot use them.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

IDENTIFIER = re.compile(r"`?[A-Za-z_][A-Za-z0-9_]*`?")
OPERATOR = re.compile(r"[-+*/%=<>!&|^~?.]+")
MODIFIERS = {
    "public", "open", "package", "internal", "private", "fileprivate", "final", "override", "static", "lazy", "weak",
    "unowned", "convenience", "required", "mutating", "nonmutating", "indirect", "dynamic", "optional", "nonisolated",
    "consuming", "borrowing", "isolated", "prefix", "postfix", "infix", "distributed", "sending", "class",
}
ACCESS = {"public", "open", "package", "internal", "private", "fileprivate"}
TYPES = {"class", "struct", "enum", "protocol", "actor", "extension"}
# A line that starts with one of these goes on with the declaration before it.
CONTINUES = re.compile(r"->|throws\b|rethrows\b|async\b|where\b|\{|[.?:=,&|)\]]|[-+*/](?=\s)|as\b|is\b")


@dataclass
class Parameter:
    label: str
    type: str
    has_default: bool = False


@dataclass
class Symbol:
    module: str
    container: str  # "A.B", or "" at the top level
    name: str
    kind: str  # class, struct, enum, protocol, actor, typealias, associatedtype, func, init, subscript, var, let, case
    parameters: list = None  # of Parameter; None where there are no parentheses
    public: bool = False
    overrides: bool = False
    doc: list = field(default_factory=list)
    inherits: list = field(default_factory=list)  # of types: what follows the colon
    aliased: str = ""  # of a typealias: what it stands for

    @property
    def path(self):
        return f"{self.container}.{self.name}" if self.container else self.name

    @property
    def is_type(self):
        return self.kind in TYPES

    def spelled(self, with_types=False):
        if self.parameters is None:
            return self.path
        parts = [f"{p.label}: {p.type}, " if with_types else f"{p.label}:" for p in self.parameters]
        return f"{self.path}({''.join(parts).rstrip(', ')})"


@dataclass
class Scope:
    name: str  # full path of the type
    kind: str
    access: str  # what members without a modifier have


def blanked(source):
    """The source with comments and the content of strings replaced by spaces; line ends stay."""
    out, i, n = list(source), 0, len(source)

    def blank(start, end):
        for k in range(start, min(end, n)):
            if out[k] != "\n":
                out[k] = " "

    while i < n:
        if source.startswith("//", i):
            end = source.find("\n", i)
            end = n if end < 0 else end
            blank(i, end)
            i = end
        elif source.startswith("/*", i):
            depth, k = 1, i + 2
            while k < n and depth:
                step = {"/*": 1, "*/": -1}.get(source[k : k + 2], 0)
                depth, k = depth + step, k + (2 if step else 1)
            blank(i, k)
            i = k
        elif source[i] == '"' or (source[i] == "#" and re.match(r'#+"', source[i:])):
            i = end_of_string(source, i, blank)
        else:
            i += 1
    return "".join(out)


def end_of_string(source, start, blank):
    pounds = len(re.match(r"#*", source[start:]).group())
    quote = '"""' if source.startswith('"""', start + pounds) else '"'
    close, escape = quote + "#" * pounds, "\\" + "#" * pounds
    i = start + pounds + len(quote)
    while i < len(source) and not source.startswith(close, i):
        if source.startswith(escape + "(", i):
            # An interpolation holds code, strings included: its end is its own closing parenthesis.
            depth, i = 1, i + len(escape) + 1
            while i < len(source) and depth:
                if source[i] == '"':
                    i = end_of_string(source, i, blank)
                    continue
                depth += {"(": 1, ")": -1}.get(source[i], 0)
                i += 1
        elif source.startswith(escape, i):
            i += len(escape) + 1
        elif quote == '"' and source[i] == "\n":
            break  # not closed on its line: no valid source, but the rest of the file is still worth reading
        else:
            i += 1
    end = min(i + len(close), len(source))
    blank(start + pounds + len(quote), i)
    return end


def balanced(text, i):
    """The position behind the bracket that closes the one at `i`."""
    pairs, stack = {"(": ")", "[": "]", "{": "}"}, []
    while i < len(text):
        c = text[i]
        if c in pairs:
            stack.append(pairs[c])
        elif stack and c == stack[-1]:
            stack.pop()
            if not stack:
                return i + 1
        i += 1
    return i


def behind_generics(text, i):
    depth = 0
    while i < len(text):
        if text[i] == "<":
            depth += 1
        elif text[i] == ">" and text[i - 1] != "-":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return i


def split_top(text, separator=","):
    """The parts between separators that are in no bracket."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
        elif c == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip()]


def parameters(text, unlabelled="_"):
    found = []
    for part in split_top(text):
        part = re.sub(r"^(@\w+(\([^)]*\))?\s*)+", "", part)
        head, colon, rest = part.partition(":")
        words = head.split()
        if not colon or not words or not all(IDENTIFIER.fullmatch(w) for w in words):
            found.append(Parameter(unlabelled, " ".join(part.split())))  # an enum case's unlabelled value
            continue
        default = re.search(r"(?<![=<>!])=(?![=>])", rest)
        type_text = rest[: default.start()] if default else rest
        label = words[0] if len(words) > 1 or unlabelled == "_" else "_"
        found.append(Parameter(label.strip("`"), " ".join(type_text.split()), default is not None))
    return found


class FileReader:
    def __init__(self, path, module):
        self.source = path.read_text(encoding="utf-8")
        self.text = blanked(self.source)
        self.lines = self.source.split("\n")
        self.module = module
        self.symbols, self.extensions = [], []

    def doc_before(self, position):
        row = self.source.count("\n", 0, position)
        doc = []
        while row > 0 and self.lines[row - 1].strip().startswith("///"):
            row -= 1
            doc.insert(0, self.lines[row].strip()[3:].strip())
        return doc

    def skip_space(self, i):
        while i < len(self.text) and (self.text[i].isspace() or self.text[i] == ";"):
            i += 1
        return i

    def end_of_statement(self, i):
        """Behind a declaration whose name has been read: over its type, value and body."""
        text = self.text
        while i < len(text):
            c = text[i]
            if c in "([{":
                i = balanced(text, i)
                continue
            if c == "}" or c == ";":
                return i
            if c == "\n":
                before = text[:i].rstrip()[-1:]
                following = self.skip_space(i)
                if not (before in ",=:&|(" or text[i - 3 : i].strip().endswith("->")):
                    if not CONTINUES.match(text, following):
                        return i
                i = following
                continue
            i += 1
        return i

    def read(self):
        text, i, scopes = self.text, 0, [Scope("", "file", "internal")]
        while True:
            i = self.skip_space(i)
            if i >= len(text):
                return self
            if text[i] == "}":
                i += 1
                if len(scopes) > 1:
                    scopes.pop()
            elif text[i] == "#":
                end = text.find("\n", i)
                i = len(text) if end < 0 else end
            elif text[i] in "([{":
                i = balanced(text, i)
            elif text[i] == "@" or IDENTIFIER.match(text, i):
                i = self.declaration(i, scopes)
            else:
                i += 1

    def declaration(self, start, scopes):
        text, i, modifiers, is_unavailable = self.text, start, [], False
        while True:
            i = self.skip_space(i)
            if i < len(text) and text[i] == "@":
                name = IDENTIFIER.match(text, i + 1)
                i = name.end()
                if i < len(text) and text[i] == "(":
                    i = balanced(text, i)
                    arguments = split_top(text[name.end() + 1 : i - 1])
                    is_unavailable |= name.group() == "available" and "unavailable" in arguments
                continue
            match = IDENTIFIER.match(text, i)
            if not match:
                return i + 1
            word = match.group()
            after = self.skip_space(match.end())
            next_word = IDENTIFIER.match(text, after)
            if word in MODIFIERS and not (word == "class" and not self.modifies(next_word)):
                modifiers.append(word)
                i = match.end()
                if text[i : i + 1] == "(":
                    modifiers.pop()
                    i = balanced(text, i)
                continue
            break
        i = match.end()
        scope = scopes[-1]
        access = "internal" if is_unavailable else next((m for m in modifiers if m in ACCESS), scope.access)
        symbol = Symbol(
            self.module, scope.name, "", word, public=access in ("public", "open"), overrides="override" in modifiers,
            doc=self.doc_before(start))
        if word in TYPES:
            return self.type(symbol, i, access, scopes)
        if word in ("func", "init", "subscript"):
            return self.function(symbol, i)
        if word in ("let", "var"):
            return self.variables(symbol, i)
        if word == "case" and scope.kind == "enum":
            return self.cases(symbol, i)
        if word in ("typealias", "associatedtype"):
            symbol.name = IDENTIFIER.match(text, self.skip_space(i)).group()
            end = self.end_of_statement(i)
            symbol.aliased = text[i:end].partition("=")[2].strip()
            self.symbols.append(symbol)
            return end
        if word in ("import", "operator", "precedencegroup", "deinit"):
            return self.end_of_statement(i)
        return i

    @staticmethod
    def modifies(next_word):
        keywords = ("func", "var", "let", "subscript")
        return next_word and (next_word.group() in MODIFIERS or next_word.group() in keywords)

    def type(self, symbol, i, access, scopes):
        text = self.text
        brace = text.find("{", i)
        head = text[i:brace].strip()
        head = re.split(r"\bwhere\b", head)[0]
        if head.startswith("["):
            # Arrays and dictionaries in their short form: extension [Element], extension [Key: Value].
            end = balanced(head, 0)
            name, rest = "Dictionary" if ":" in head[:end] else "Array", head[end:].strip()
        else:
            name = re.match(r"[A-Za-z_][\w.]*", head).group()
            rest = head[len(name) :].strip()
        if rest.startswith("<"):
            rest = rest[behind_generics(rest, 0) :].strip()
        symbol.inherits = [re.sub(r"@\w+\s+", "", p) for p in split_top(rest.lstrip(":"))]
        symbol.name = name
        if symbol.kind == "extension":
            self.extensions.append(symbol)
            scopes.append(Scope(name, "extension", access))
        else:
            self.symbols.append(symbol)
            members = access if symbol.kind == "protocol" else "internal"
            scopes.append(Scope(symbol.path, symbol.kind, members))
        return brace + 1

    def function(self, symbol, i):
        text = self.text
        symbol.name = symbol.kind
        if symbol.kind == "func":
            i = self.skip_space(i)
            match = IDENTIFIER.match(text, i) or OPERATOR.match(text, i)
            symbol.name, i = match.group().strip("`"), match.end()
        elif symbol.kind == "init" and text[i : i + 1] in ("?", "!"):
            i += 1
        i = self.skip_space(i)
        if text[i] == "<":
            i = self.skip_space(behind_generics(text, i))
        end = balanced(text, i)
        symbol.parameters = parameters(text[i + 1 : end - 1])
        if not IDENTIFIER.match(symbol.name):
            for parameter in symbol.parameters:
                parameter.label = "_"
        if symbol.kind == "subscript":
            # One name is only the inner one here: a subscript's label must be written out.
            for part, parameter in zip(split_top(text[i + 1 : end - 1]), symbol.parameters):
                if len(part.partition(":")[0].split()) == 1:
                    parameter.label = "_"
        self.symbols.append(symbol)
        return self.end_of_statement(end)

    def variables(self, symbol, i):
        end = self.end_of_statement(i)
        for part in split_top(self.text[i:end]):
            match = re.match(r"(`?\w+`?)\s*(:|=|\{|$)", part)
            if match:
                values = dict(symbol.__dict__, name=match.group(1).strip("`"))
                self.symbols.append(Symbol(**values))
        return end

    def cases(self, symbol, i):
        end = self.end_of_statement(i)
        for part in split_top(self.text[i:end]):
            match = IDENTIFIER.match(part)
            if not match:
                continue
            values = dict(symbol.__dict__, name=match.group().strip("`"))
            rest = part[match.end() :].strip()
            if rest.startswith("("):
                values["parameters"] = parameters(rest[1 : balanced(rest, 0) - 1])
            # A case is as public as its enum; `SymbolTable` says how public that is.
            self.symbols.append(Symbol(**dict(values, public=True)))
        return end


class SymbolTable:
    """All symbols of all modules, and the public ones of those that are products."""

    def __init__(self, sources, products):
        self.symbols, extensions = [], []
        for folder in sorted(p for p in Path(sources).iterdir() if p.is_dir()):
            for path in sorted(folder.rglob("*.swift")):
                reader = FileReader(path, folder.name).read()
                self.symbols += reader.symbols
                extensions += reader.extensions
        # Of types with one name in several modules, the public one counts.
        self.types = {s.path: s for s in sorted(self.symbols, key=lambda s: s.public) if s.is_type}
        self.aliases = {s.path: s.aliased for s in self.symbols if s.kind == "typealias" and s.aliased}
        self.inherits = {path: list(s.inherits) for path, s in self.types.items()}
        for extension in extensions:
            self.inherits.setdefault(self.resolved(extension.name), []).extend(extension.inherits)
        self.public = [s for s in self.symbols if s.module in products and s.public and self.visible(s.container)]

    def visible(self, container):
        parts = container.split(".") if container else []
        paths = [".".join(parts[: k + 1]) for k in range(len(parts))]
        return all(self.types[p].public for p in map(self.resolved, paths) if p in self.types)

    def resolved(self, name):
        """The name that a chain of type aliases ends in."""
        for _ in range(16):
            if name not in self.aliases:
                break
            name = self.aliases[name]
        return name

    def lineage(self, name):
        """A type, what it inherits from and what it conforms to."""
        found, waiting = [], [self.resolved(name)]
        while waiting:
            current = waiting.pop(0)
            if current not in found:
                found.append(current)
                waiting += [self.resolved(p.split("<")[0].strip()) for p in self.inherits.get(current, [])]
        return found
