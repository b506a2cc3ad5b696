import { constant, flags, i32, nullable, object, open, u32 } from './idl';
import { verb } from './verb';

const pollEvents = flags('poll_events', ['POLLIN', 'POLLPRI', 'POLLOUT', 'POLLERR', 'POLLHUP', 'POLLNVAL']);
const openFlags = flags('open_flags', ['O_WRONLY', 'O_RDWR', 'O_APPEND', 'O_NONBLOCK', 'O_ASYNC']);

/** What has a file descriptor: a completion channel, or a context for its asynchronous events. */
const source = object('channel', 'context');

/** The system calls that a program makes around the verbs. */
export const systemCalls = {
  /** Waits for POLLIN at a descriptor, `timeoutMs` milliseconds; 0 looks once, -1 waits as long as it takes: poll(2). */
  poll: verb({
    c: 'poll',
    page: 'poll(2)',
    fails: 'minus-one',
    blocks: 'until the descriptor is readable, or timeoutMs',
    in: [{ source }, { timeoutMs: i32 }],
    out: { revents: open(pollEvents) },
    gives: 'revents',
  }),
  /** The status flags of such a descriptor, `O_NONBLOCK` among them or not: fcntl(2). */
  getFileStatusFlags: verb({
    c: 'fcntl',
    page: 'fcntl(2)',
    fails: 'minus-one',
    in: [{ source }, { cmd: constant('F_GETFL') }],
    out: { flags: open(openFlags) },
    gives: 'flags',
  }),
  /** Sets the status flags of such a descriptor, all of them: fcntl(2). */
  setFileStatusFlags: verb({
    c: 'fcntl',
    page: 'fcntl(2)',
    fails: 'minus-one',
    in: [{ source }, { cmd: constant('F_SETFL') }, { flags: open(openFlags) }],
  }),
  /**
   * Bounds the file descriptors that the process may have open, so that no new one can be had; `null` goes back to what
   * was allowed at the beginning: setrlimit(2).
   */
  limitOpenFiles: verb({
    c: 'setrlimit',
    page: 'setrlimit(2)',
    fails: 'minus-one',
    in: [{ resource: constant('RLIMIT_NOFILE') }, { soft: nullable(u32) }],
  }),
};
