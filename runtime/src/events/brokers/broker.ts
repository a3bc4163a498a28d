/**
 * A connection to a broker of messages between server processes. Each message reaches every process
 * once, in the order of its sender, or is lost.
 */
export interface Broker {
  readonly publish: (text: string) => void;
  readonly close: () => Promise<void>;
  /**
   * Rejects when the connection is lost. The broker does not connect again by itself: messages that
   * were sent meanwhile would be missing.
   */
  readonly ended: Promise<never>;
}

/**
 * Connects, and receives every message, also those of this process.
 * @param signal aborted when connecting takes too long: every connection has to be closed then
 */
export type OpenBroker = (receive: (text: string) => void, signal: AbortSignal) => Promise<Broker>;
