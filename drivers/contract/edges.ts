import type { DutModule } from './dut';

/** The way into a block of code of a kernel module, which the compiler has marked. */
export interface Edge {
  /** By which the module knows it: bytes from the first mark on. */
  readonly at: number;
  /** Of the source file. */
  readonly line: number;
}

/** The edges of a function, wherever it is inlined. */
export interface FunctionEdges {
  /** Source file, from the folder of the module. */
  readonly file: string;
  readonly name: string;
  readonly edges: readonly Edge[];
}

/** Which edges of a kernel module have been passed since the device under test was made. */
export interface ModuleEdges {
  readonly module: DutModule;
  readonly functions: readonly FunctionEdges[];
  /** Those that were, by {@link Edge.at}. */
  readonly reached: ReadonlySet<number>;
}
