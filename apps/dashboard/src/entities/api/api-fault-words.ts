import type { ApiFault } from '@gatehouse/contract'

interface FaultWords {
  /** What can't be read: the end of a sentence about one API. */
  what: string
  /** What repairs it. */
  mend: string
}

/** Why the gateway does not serve an API, or one of its endpoints, and what to do about it. */
export const apiFaultWords: Record<ApiFault, FaultWords> = {
  upstream_token: {
    what: 'its upstream token can’t be opened',
    mend: 'Enter the upstream token again, or clear it, and save.',
  },
  credential: {
    what: 'the secrets of its sign-in can’t be opened',
    mend: 'Enter the secrets of its sign-in again and save.',
  },
  tls: {
    what: 'its client certificate can’t be opened',
    mend: 'Enter the key of its client certificate again and save.',
  },
  password: {
    what: 'its database password can’t be opened',
    mend: 'Enter the password again and save.',
  },
  policy: {
    what: 'its traffic policy can’t be read',
    mend: 'Set the traffic policy again and save. Until then it shows as off.',
  },
  definition: {
    what: 'part of its definition can’t be read',
    mend: 'Check every field and save.',
  },
  context: {
    what: 'its API context can’t be used',
    mend: 'Give it another context on the screen Api Context.',
  },
  endpoint: {
    what: 'one of its endpoints can’t be read and is left out',
    mend: 'Open its endpoints, check method and path, and save them.',
  },
}
