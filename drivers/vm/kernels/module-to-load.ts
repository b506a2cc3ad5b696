/** A module that the VM loads. */
export interface ModuleToLoad {
  readonly name: string;
  /** Not every kernel has it, nor every CPU a use for it. */
  readonly optional?: boolean;
}
