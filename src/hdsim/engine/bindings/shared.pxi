# What an engine takes from that of discs, so that both work with the same values of Python.
# uses: nothing
from hdsim._core import NativeCallback as CallbackOfDiscs


cdef object NativeCallback = CallbackOfDiscs
