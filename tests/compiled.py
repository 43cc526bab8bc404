"""Reads Cython sources as text: what a file defines, imports and names. For the tests of the house."""
import re

TYPE = r"(?:unsigned |const |long )*\w+(?:\[[:, 1]+\])?[ *]+"     # of a variable


def without_text(code):
    """Code without comments and strings; of an f-string the expressions stay."""
    def expressions(match):
        prefix = match[0][:2]
        return " ".join(re.findall(r"\{([^{}]*)\}", match[0])) if prefix[:1] in "fF" else " "
    return re.sub(r'"""(?s:.*?)"""|(?:\bf)?"(?:[^"\\\n]|\\.)*"|(?:\bf)?\'[^\'\n]*\'|#.*', expressions, code)


def lengths_of(text):
    """[(name, lines)] of all functions and methods, from `def` or `cdef` to the last line of code."""
    code = re.sub(r'"""(?s:.*?)"""', lambda match: "\n" * match[0].count("\n"), text)
    lines, found = [line.partition("#")[0].rstrip() for line in code.splitlines()], []
    for start, line in enumerate(lines):
        match = re.match(r"( *)(?:cdef|cpdef|def) (?!class )(?:[^=(]*\W)?(\w+)\(", line)
        if not match:
            continue
        end = next(k for k in range(start, len(lines)) if lines[k].endswith(":"))       # of the header
        for k in range(end + 1, len(lines)):
            if lines[k] and len(lines[k]) - len(lines[k].lstrip()) <= len(match[1]):
                break
            end = k if lines[k] else end
        found.append((match[2], end - start + 1))
    return found


def blocks_of(text):
    """The top-level statements of a file, each with the comments right above it."""
    blocks, pending, quoted, depth = [], [], False, 0
    for line in text.splitlines():
        if not quoted and depth <= 0 and line and not line[0].isspace():
            if line.startswith("#"):
                pending.append(line)
                continue
            if not (blocks and blocks[-1] and blocks[-1][-1].startswith("@")):
                blocks.append([])
            blocks[-1] += pending
            pending = []
        elif not line and pending:
            pending = []            # a comment that stands alone is a heading
        if blocks:
            blocks[-1].append(line)
        quoted ^= line.count('"""') & 1
        bare = re.sub(r'"(?:[^"\\]|\\.)*"|#.*', "", line)
        depth = 0 if quoted else depth + sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
    return ["\n".join(block).rstrip() for block in blocks]


def imports_of(block):
    """{name: (module, what it is called there)} of a `from ... cimport` or `import` statement."""
    match = re.match(r"from ([\w.]+) c?import \(?([^)]*)\)?$", " ".join(without_text(block).split()))
    if match:
        parts = [part.split() for part in match[2].split(",") if part.strip()]
        return {part[-1]: (match[1], part[0]) for part in parts}
    match = re.match(r"(?:cimport|import) (\w+)$", block.strip())
    return {match[1]: (match[1], None)} if match else {}


def defined_by(block):
    """The names that a top-level statement makes known to the whole module."""
    code = without_text(block)
    head = re.search(r"^(?!@|#).*", code, re.M)[0] if re.search(r"^(?!@|#|\s)\S.*", code, re.M) else ""
    if re.match(r"cdef extern", head):
        return re.findall(r"^ +\w[\w* ]* \*?(\w+) *\(", code, re.M)
    if re.match(r"cdef enum", head):
        return re.findall(r"^ +(\w+) *=", code, re.M) + re.findall(r"cdef enum (\w+):", head)
    match = (re.match(r"cdef (?:struct|class|fused) (\w+)", head) or re.match(r"(?:class|def) (\w+)", head)
             or re.match(r"([A-Z_]+) *=", head) or re.match(r"cdef (?:inline )?[^=(]*?(\w+)(?:\(| *=)", head))
    return [match[1]] if match else []


def locals_of(code):
    """Names of the parameters, variables and fields that a function, a struct or the head of a class declares."""
    head = code.partition(":\n")[0]
    names = set(re.findall(r"[(,]\s*(?:%s)?(\w+)(?=\s*[,)=\[]| not None)" % TYPE, head))
    fields = code.startswith("cdef struct")
    for declared in re.findall(r"^ +%s(?:public |readonly )?(?:%s)(\w+.*)$" % ("" if fields else "cdef ", TYPE), code, re.M):
        if "(" not in declared.split("=")[0]:
            names |= {re.match(r"\W*(\w*)", part)[1] for part in ([declared] if "=" in declared else declared.split(","))}
    return names


def names_in(block):
    """The names that a top-level statement takes from elsewhere in the module; fields and local variables are none."""
    code = without_text(block)
    found = set()
    for part in re.split(r"\n(?= {4}(?:def|cdef [^=\n]*\())", code):
        hidden = locals_of(part) if re.match(r"\s*(?:@|def|cdef|cpdef|class)\b", part) else set()
        part = re.sub(r"^\s*cdef [^=\n(]*\w\(", "(", part)
        part = re.sub(r"\b(?:def|class) \w+|\.\s*\w+|(?<=[(,])\s*\w+=(?!=)", " ", part)
        found |= set(re.findall(r"[A-Za-z_]\w*", part)) - hidden
    return found - set(defined_by(block))
