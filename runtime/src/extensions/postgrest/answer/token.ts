import type { ErrorReason, TokenProblem } from '../../../errors.js';

type TokenAnswer = readonly [code: 'PGRST301' | 'PGRST303', message: string, details?: string];

const answersByProblem: Readonly<Record<Exclude<TokenProblem, 'parts'>, TokenAnswer>> = {
  empty: ['PGRST301', 'Empty JWT is sent in Authorization header'],
  key: ['PGRST301', 'No suitable key or wrong key type', 'None of the keys was able to decode the JWT'],
  algorithm: ['PGRST301', 'Wrong or unsupported encoding algorithm'],
  malformed: ['PGRST301', "JWT couldn't be decoded"],
  expired: ['PGRST303', 'JWT expired'],
  early: ['PGRST303', 'JWT not yet valid'],
  issuedLater: ['PGRST303', 'JWT issued at future'],
  audience: ['PGRST303', 'JWT not in audience'],
  aud: ['PGRST303', "The JWT 'aud' claim must be a string or an array of strings"],
  exp: ['PGRST303', "The JWT 'exp' claim must be a number"],
  nbf: ['PGRST303', "The JWT 'nbf' claim must be a number"],
  iat: ['PGRST303', "The JWT 'iat' claim must be a number"],
  claims: ['PGRST303', 'Parsing claims failed'],
};

/** What PostgREST says of a token that proves nothing. Source: PostgREST, "Errors", group 3. */
export function tokenProblem({ problem, parts }: Extract<ErrorReason, { kind: 'token' }>) {
  const [code, message, details]: TokenAnswer =
    problem === 'parts'
      ? ['PGRST301', `Expected 3 parts in JWT; got ${String(parts ?? 0)}`]
      : answersByProblem[problem];
  const challenge = `Bearer error="invalid_token", error_description="${message}"`;
  return { status: 401, code, message, details, hint: null, headers: { 'www-authenticate': challenge } };
}
