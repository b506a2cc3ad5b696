/** A call that a scenario begins and looks at: it may succeed, be refused or block. */
export interface CallOn<World> {
  /** As the feature says it: `destroying CQ "recv_cq"`. */
  readonly phrase: string;
  /** Whether it may block until something happens. Any other that does not return is hung, as its driver will report. */
  readonly waits: boolean;
  start(world: World): Promise<unknown>;
}
