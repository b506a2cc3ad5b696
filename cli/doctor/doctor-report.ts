import type { RdmaDevice, RdmaPort } from '../../drivers/native/host/devices';
import type { Check } from '../../drivers/support/checks';

/** A driver, or one of the two ways of soft-RoCE, and what it needs. */
export interface Diagnosis {
  readonly driver: string;
  /** Where soft-RoCE is made. */
  readonly kernel?: 'host' | 'vm';
  /** Whether nothing is missing. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

/** A device with what libibverbs alone knows of its ports. */
export interface DiagnosedDevice extends RdmaDevice {
  readonly ports: readonly (RdmaPort & {
    /** Bytes; absent where libibverbs could not be asked. */
    readonly activeMtu?: number;
  })[];
}

/** What `verbspec doctor --json` prints; the members are explained in doctor.schema.json. */
export interface DoctorReport {
  readonly schemaVersion: 1;
  /** Whether each driver that was asked for can run, in one way at least. */
  readonly ok: boolean;
  readonly drivers: readonly Diagnosis[];
  readonly devices: readonly DiagnosedDevice[];
}
