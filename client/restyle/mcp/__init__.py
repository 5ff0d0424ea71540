"""A server of the Model Context Protocol, by which an assistant reads studies, and drafts one where it is let."""

from restyle.mcp.protocol import serve

__all__ = ["serve"]
