"""Shell: who may do what with a file, as Windows keeps it and SDDL writes it ([MS-DTYP] 2.5.1).

For Windows alone: elsewhere there is nothing in here.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import POINTER, byref, c_int, c_void_p, c_wchar_p
    from ctypes.wintypes import BOOL, DWORD, HANDLE
    from functools import cache
    from pathlib import Path

    _LIST = 0x4  # DACL_SECURITY_INFORMATION
    _FORM = 1  # SDDL_REVISION_1
    _QUERY = 0x8  # TOKEN_QUERY
    _TOKEN_USER = 1
    #: a drive without such rights, as FAT has none: not valid there, or not supported
    _NO_RIGHTS = (1, 50)

    _security = ctypes.WinDLL("advapi32", use_last_error=True)
    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.GetCurrentProcess.restype = HANDLE
    _kernel.CloseHandle.argtypes = (HANDLE,)
    _kernel.LocalFree.argtypes = (c_void_p,)
    for _name, _types in {
        "OpenProcessToken": (HANDLE, DWORD, POINTER(HANDLE)),
        "GetTokenInformation": (HANDLE, c_int, c_void_p, DWORD, POINTER(DWORD)),
        "ConvertSidToStringSidW": (c_void_p, POINTER(c_void_p)),
        "GetFileSecurityW": (c_wchar_p, DWORD, c_void_p, DWORD, POINTER(DWORD)),
        "SetFileSecurityW": (c_wchar_p, DWORD, c_void_p),
        "ConvertSecurityDescriptorToStringSecurityDescriptorW": (
            *(c_void_p, DWORD, DWORD),
            *(POINTER(c_void_p), c_void_p),
        ),
        "ConvertStringSecurityDescriptorToSecurityDescriptorW": (
            *(c_wchar_p, DWORD),
            *(POINTER(c_void_p), c_void_p),
        ),
    }.items():
        getattr(_security, _name).argtypes = _types
        getattr(_security, _name).restype = BOOL

    @cache
    def user() -> str:
        """The identifier (SID) of the user whose program this is. Raises OSError."""
        token = HANDLE()
        _call("OpenProcessToken", _kernel.GetCurrentProcess(), _QUERY, byref(token))
        try:
            told = ctypes.create_string_buffer(256)
            size = byref(DWORD())
            _call("GetTokenInformation", token, _TOKEN_USER, told, len(told), size)
        finally:
            _kernel.CloseHandle(token)
        # Whom it is about is at the place that the answer begins with.
        text = c_void_p()
        _call("ConvertSidToStringSidW", c_void_p.from_buffer(told), byref(text))
        return _taken(text)

    def read(path: Path) -> str:
        """The list of a file or folder. Raises OSError."""
        size = DWORD()
        _security.GetFileSecurityW(str(path), _LIST, None, 0, byref(size))
        told = ctypes.create_string_buffer(size.value or 1)
        _call("GetFileSecurityW", str(path), _LIST, told, len(told), byref(size))
        text = c_void_p()
        _call(
            "ConvertSecurityDescriptorToStringSecurityDescriptorW",
            *(told, _FORM, _LIST, byref(text), None),
        )
        return _taken(text)

    def write(path: Path, rights: str) -> None:
        """Give a file or folder this list, where its drive has any. Raises OSError."""
        made = c_void_p()
        _call(
            "ConvertStringSecurityDescriptorToSecurityDescriptorW",
            *(rights, _FORM, byref(made), None),
        )
        try:
            _call("SetFileSecurityW", str(path), _LIST, made)
        except OSError as problem:
            if problem.winerror not in _NO_RIGHTS:
                raise
        finally:
            _kernel.LocalFree(made)

    def _call(name: str, *arguments: object) -> None:
        if not getattr(_security, name)(*arguments):
            raise ctypes.WinError(ctypes.get_last_error())

    def _taken(text: c_void_p) -> str:
        """A text that Windows has made for us."""
        try:
            return ctypes.wstring_at(text.value or 0)
        finally:
            _kernel.LocalFree(text)
