/**
 * A connection to what passes messages between server processes. Each message reaches every process
 * once, in the order of its sender, or is lost.
 */
export interface Broker {
  readonly publish: (text: string) => void;
  readonly close: () => Promise<void>;
  /**
   * Rejects when the connection is lost. It is never made again: the sender may have sent
   * meanwhile.
   */
  readonly ended: Promise<never>;
}

/** Connects, and takes every message, those of this process among them. */
export type OpenBroker = (receive: (text: string) => void) => Promise<Broker>;
