/** The identities that the server's settings allow. */
export interface Serving {
  /** `app.security.jwt-enabled`. */
  readonly verification: boolean;
  /** `app.security.allow-superuser`. */
  readonly allowSuperuser: boolean;
  /**
   * The role the server connects as: `--role`, else `app.datasource.username`; undefined means the
   * connected role.
   */
  readonly connecting: string | undefined;
  /** Roles that requests are switched to. */
  readonly switched: readonly string[];
  /** Whether every request is switched, so that none is served in the connecting role itself. */
  readonly alwaysSwitches: boolean;
  /** PostgREST's form is on, and `functions` of the configuration names none. */
  readonly callsAllFunctions?: boolean;
  /** The tables with a rule in the configuration, as `schema.name`; undefined where it has none. */
  readonly ruled?: ReadonlySet<string>;
  /** `app.changes.source`, where it is not off. */
  readonly changes?: 'wal' | 'notify';
}
