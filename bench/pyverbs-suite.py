"""Runs rdma-core's test suite as its run_tests.py does, and prints the time of each test as JSON, in the last line.

    pyverbs-suite.py --dev DEVICE
"""
import importlib
import json
import time
import unittest

from args_parser import parser


class TimedResult(unittest.TestResult):
    """Takes the time of each test from before its setUp until after its tearDown and clean-ups."""

    def __init__(self):
        super().__init__()
        self.tests = []

    def startTest(self, test):
        super().startTest(test)
        self.outcome = 'passed'
        self.started = time.perf_counter()

    def stopTest(self, test):
        duration = 1000 * (time.perf_counter() - self.started)
        super().stopTest(test)
        self.tests.append({'name': test.id(), 'outcome': self.outcome, 'durationMs': duration})

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.outcome = 'skipped'

    def addError(self, test, err):
        super().addError(test, err)
        self.outcome = 'failed'

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.outcome = 'failed'

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.outcome = 'failed'


parser.parse_args()
suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module('tests'))
result = TimedResult()
suite.run(result)
print('\n' + json.dumps(result.tests))
