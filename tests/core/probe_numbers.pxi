# The floors of numbers alone, as they are: part of probe.pyx.
# exact

def exact_sum(double a, double b):
    cdef double error
    return exact.exact_sum(a, b, &error), error


def exact_product(double a, double b):
    cdef double error
    return exact.exact_product(a, b, &error), error


def product_error(double a, double b):
    return exact.product_error(a, b, a * b)


def exact_sums(double a, double b, double c, double d):
    """((a + c, its error), (b + d, its error))."""
    cdef Two errors
    cdef Two sums = exact.exact_sums(two(a, b), two(c, d), &errors)
    return (first(sums), first(errors)), (second(sums), second(errors))


def exact_products(double a, double b, double c, double d):
    """((a * c, its error), (b * d, its error))."""
    cdef Two errors
    cdef Two products = exact.exact_products(two(a, b), two(c, d), &errors)
    return (first(products), first(errors)), (second(products), second(errors))


def quotient(double a_high, double a_low, double b_high, double b_low):
    cdef Pair q = exact.quotient(a_high, a_low, b_high, b_low)
    return q.high, q.low


def product(double a_high, double a_low, double b_high, double b_low):
    cdef Pair p = exact.product(Pair(a_high, a_low), Pair(b_high, b_low))
    return p.high, p.low


# elementary

def exponential(double x):
    return elementary.exponential(x)


def logarithm(double x):
    return elementary.logarithm(x)


def sine_and_cosine(double x):
    cdef double sine, cosine
    elementary.sine_and_cosine(x, &sine, &cosine)
    return sine, cosine


def hyperbolic_functions(double x):
    cdef double sine, cosine
    elementary.hyperbolic_functions(x, &sine, &cosine)
    return sine, cosine


def arc_tangent(double x):
    return elementary.arc_tangent(x)


# vectors

def ordered_sum(list terms):
    cdef double term[AXES_MAX]
    cdef int k
    for k in range(len(terms)):
        term[k] = terms[k]
    return sum_of(term, <int>len(terms))
