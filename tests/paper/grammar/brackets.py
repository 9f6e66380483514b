"""An independent reader of bracketed trees, to check the package's own against."""

import re

Node = list  # [label, child, …], a leaf being [label, word]


def parse(text: str) -> Node:
    """The nested lists of one bracketed tree."""
    stack: list[Node] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    ((tree,),) = stack
    return tree


def is_leaf(node: Node) -> bool:
    return isinstance(node[1], str)


def leaves(node: Node) -> list[tuple[str, str]]:
    """The pairs of part of speech and word."""
    if is_leaf(node):
        return [(node[0], node[1])]
    return [pair for child in node[1:] for pair in leaves(child)]


def height(node: Node) -> int:
    return 1 if is_leaf(node) else 1 + max(height(child) for child in node[1:])


def nodes(node: Node) -> list[Node]:
    """The node and everything below it."""
    return [node] if is_leaf(node) else [node, *(n for child in node[1:] for n in nodes(child))]


def labels(node: Node) -> list[str]:
    """The labels of the children."""
    return [child[0] for child in node[1:]]


def find(node: Node, label: str) -> Node | None:
    """The first child with a label."""
    return next((child for child in node[1:] if child[0] == label), None)
