import type { Identity } from '../../dialect/driver.js';

/** Claims with which the user's code acts. The server trusts them without verification. */
export interface ActingIdentity extends Pick<Identity, 'userId' | 'projectId' | 'role' | 'tenant'> {
  /**
   * For `request.jwt.claims`: an object, or its JSON text. User, project and role are taken from an
   * object where they are not given.
   */
  readonly claims?: string | Readonly<Record<string, unknown>>;
}

/** The identity that claims of the user's code make. */
export type ActAs = (given: ActingIdentity) => Identity;

/** For a server without a rule that turns claims into an identity. */
export const cannotAct: ActAs = () => {
  throw new TypeError('This server does not say how claims become an identity.');
};
