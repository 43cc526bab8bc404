import hdsim
from Cython.Build import cythonize
from setuptools import Extension, setup

folder = hdsim.get_include()        # holds hdsim/__init__.pxd for Cython, and hdsim/hdsim.h for the C compiler
setup(ext_modules=cythonize([Extension("stranger", ["stranger.pyx"], include_dirs=[folder])], include_path=[folder]))
