"""Encoders in the interfaces of other libraries, a small file each; the library is an extra.

Import what you need from its file: `from cmow.integrations.langchain import CMOWEmbeddings`.
"""

__all__: list[str] = []
