export * from './attachments';
export * from './attributes';
export * from './driver';
export * from './dut';
export * from './errors';
export * from './kernel-complaint';
export * from './objects';
export * from './trace';
