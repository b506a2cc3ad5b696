/** A function of C that programs have which use it, with those that it uses itself. */
interface Helper {
  readonly text: string;
  readonly uses?: readonly string[];
}

/** In the order in which they stand in a program: each after those that it uses. */
const helpers: Readonly<Record<string, Helper>> = {
  finding: {
    text: `
/* The failure shows: exit code 1. */
static void finding(const char *what, const char *expected, const char *observed)
{
	printf("%s: expected %s, observed %s\\n", what, expected, observed);
	exit(1);
}`,
  },
  check: {
    text: `
static void check(int holds, const char *what, const char *expected, const char *observed)
{
	if (!holds)
		finding(what, expected, observed);
}`,
    uses: ['finding'],
  },
  must: {
    text: `
/* What went well in the run has to go well here: exit code 2 otherwise. */
static void must(const char *call, int err)
{
	if (!err)
		return;
	fprintf(stderr, "set-up: %s failed: %s\\n", call, strerror(err < 0 ? -err : err));
	exit(2);
}`,
  },
  need: {
    text: `
static void need(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "set-up: %s, as it did in the run\\n", what);
	exit(2);
}`,
  },
  text: {
    text: `
/* A number as text; two of them can be in use at a time. */
static const char *text(const char *format, unsigned long long number)
{
	static char texts[2][32];
	static int next;

	next = !next;
	snprintf(texts[next], sizeof texts[next], format, number);
	return texts[next];
}`,
  },
  names: {
    text: `
struct name {
	long long value;
	const char *text;
};`,
  },
  name_of: {
    text: `
static const char *name_of(const struct name *names, long long value)
{
	for (; names->text; names++)
		if (names->value == value)
			return names->text;
	return text("%lld", (unsigned long long)value);
}`,
    uses: ['names', 'text'],
  },
  error_name: {
    text: `
static const char *error_name(const struct name *names, int err)
{
	for (; names->text; names++)
		if (names->value == (err < 0 ? -err : err))
			return names->text;
	return err ? strerror(err < 0 ? -err : err) : "success";
}`,
    uses: ['names'],
  },
  now_ms: {
    text: `
static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}`,
  },
  pause_ms: {
    text: `
static void pause_ms(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}`,
  },
  settle: {
    text: `
/* Whatever the device still does has happened after this. */
static void settle(void)
{
	pause_ms(QUIET_MS);
}`,
    uses: ['pause_ms'],
  },
  readable: {
    text: `
/* Whether an event can be taken from a descriptor in time. */
static int readable(int fd, int timeout_ms)
{
	struct pollfd look = { .fd = fd, .events = POLLIN };

	return poll(&look, 1, timeout_ms) == 1 && (look.revents & POLLIN);
}`,
  },
  await_link: {
    text: `
/* No function of libibverbs does it: whoever runs the program has LINK_MS for it. */
static void await_link(int fd, const char *way)
{
	printf("take the link of the port %s now, for example: ip link set dev NETDEV %s\\n", way, way);
	fflush(stdout);
	readable(fd, LINK_MS);
	settle();
}`,
    uses: ['readable', 'settle'],
  },
  take: {
    text: `
/* Polls until there are as many CQEs as are wanted, or that takes too long. */
static int take(struct ibv_cq *cq, int entries, struct ibv_wc *wc, int wanted)
{
	long long end = now_ms() + EVENT_MS;
	int taken = 0;

	if (wanted == 0)
		settle();
	for (;;) {
		int more = ibv_poll_cq(cq, entries - taken, wc + taken);

		if (more < 0)
			return more;
		taken += more;
		if (taken >= wanted || taken >= entries || now_ms() > end)
			return taken;
		pause_ms(2);
	}
}`,
    uses: ['now_ms', 'pause_ms', 'settle'],
  },
  start_batch: {
    text: `
/* Opens a batch as soon as there is a CQE, or says how that was refused. */
static int start_batch(struct ibv_cq_ex *cq)
{
	long long end = now_ms() + EVENT_MS;

	for (;;) {
		struct ibv_poll_cq_attr attr = { 0 };
		int err = ibv_start_poll(cq, &attr);

		if (err != ENOENT || now_ms() > end)
			return err;
		pause_ms(2);
	}
}`,
    uses: ['now_ms', 'pause_ms'],
  },
  allocate: {
    text: `
/* Zeroed memory that begins with a page. */
static unsigned char *allocate(size_t length)
{
	void *memory = mmap(NULL, length ? length : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must("mmap", memory == MAP_FAILED ? errno : 0);
	return memory;
}`,
    uses: ['must'],
  },
  pending: {
    text: `
/* A call that blocks, in a thread of its own. */
struct pending {
	void (*run)(struct pending *call);
	void *object;
	int fd, timeout_ms;
	int result;
	short revents;
	struct ibv_cq *cq;
	void *cq_context;
	struct ibv_async_event event;
	atomic_int returned;
};

static void *run_pending(void *call)
{
	struct pending *pending = call;

	pending->run(pending);
	atomic_store(&pending->returned, 1);
	return NULL;
}

static void begin(struct pending *call)
{
	pthread_t thread;

	must("pthread_create", pthread_create(&thread, NULL, run_pending, call));
	pthread_detach(thread);
	settle();
}`,
    uses: ['must', 'settle'],
  },
  awaited: {
    text: `
static int awaited(struct pending *call)
{
	long long end = now_ms() + EVENT_MS;

	while (!atomic_load(&call->returned) && now_ms() <= end)
		pause_ms(2);
	return atomic_load(&call->returned);
}`,
    uses: ['pending', 'now_ms', 'pause_ms'],
  },
  run_ibv_get_cq_event: {
    text: `
static void run_ibv_get_cq_event(struct pending *call)
{
	call->result = ibv_get_cq_event(call->object, &call->cq, &call->cq_context) ? errno : 0;
}`,
    uses: ['pending'],
  },
  run_ibv_get_async_event: {
    text: `
static void run_ibv_get_async_event(struct pending *call)
{
	call->result = ibv_get_async_event(call->object, &call->event) ? errno : 0;
}`,
    uses: ['pending'],
  },
  run_poll: {
    text: `
static void run_poll(struct pending *call)
{
	struct pollfd look = { .fd = call->fd, .events = POLLIN };

	call->result = poll(&look, 1, call->timeout_ms) < 0 ? errno : 0;
	call->revents = look.revents;
}`,
    uses: ['pending'],
  },
  ...Object.fromEntries(
    ['cq', 'qp', 'srq'].map((kind) => [
      `run_ibv_destroy_${kind}`,
      {
        text: `
static void run_ibv_destroy_${kind}(struct pending *call)
{
	call->result = ibv_destroy_${kind}(call->object);
}`,
        uses: ['pending'],
      },
    ]),
  ),
  limit_open_files: {
    text: `
/* Bounds the descriptors that can be open; -1 goes back to what was allowed at the beginning. */
static int limit_open_files(long soft)
{
	static rlim_t before;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return errno;
	if (!before)
		before = limit.rlim_cur;
	limit.rlim_cur = soft < 0 ? before : (rlim_t)soft;
	return setrlimit(RLIMIT_NOFILE, &limit) ? errno : 0;
}`,
  },
  on_alarm: {
    text: `
static void on_alarm(int signal)
{
	static const char text[] = HANG_TEXT;

	(void)signal;
	if (write(1, text, sizeof text - 1) < 0)
		_exit(2);
	_exit(HANG_CODE);
}`,
  },
  open_device: {
    text: `
static struct ibv_context *open_device(const char *name)
{
	int count;
	struct ibv_device **list = ibv_get_device_list(&count);
	struct ibv_context *context = NULL;

	must("ibv_get_device_list", list ? 0 : errno);
	for (int index = 0; index < count && !context; index++)
		if (!strcmp(ibv_get_device_name(list[index]), name))
			context = ibv_open_device(list[index]);
	ibv_free_device_list(list);
	if (!context) {
		fprintf(stderr, "set-up: device %s cannot be opened; ibv_devices lists those that there are\\n", name);
		exit(2);
	}
	return context;
}`,
    uses: ['must'],
  },
};

/** The helpers that a program needs, in order. */
export function helperTexts(used: ReadonlySet<string>): string[] {
  const needed = new Set<string>();
  const need = (name: string): void => {
    needed.add(name);
    for (const other of helpers[name]?.uses ?? []) need(other);
  };
  for (const name of used) need(name);
  return Object.entries(helpers).flatMap(([name, { text }]) => (needed.has(name) ? [text] : []));
}
