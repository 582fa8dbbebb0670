import { wordsOfAction } from './audit-words.ts'

const saved = ['create', 'update', 'delete']

/** What may be done with each. */
const verbsOf: Record<string, readonly string[]> = {
  api: [...saved, 'try', 'sign_in', 'accept_drift'],
  endpoint: [...saved, 'try', 'clear_access'],
  context: ['update'],
  draft: ['save', 'publish', 'discard'],
  user: [
    ...saved,
    'password',
    'second_factor_on',
    'second_factor_off',
    'second_factor_reset',
    'recovery_codes',
    'recovery_code_used',
    'passkey_add',
    'passkey_rename',
    'passkey_remove',
    'passkeys_reset',
    'sign_on_linked',
    'sign_on_unlinked',
    'invited',
    'invitation_taken_back',
    'invitation_accepted',
    'password_reset_asked',
    'password_reset',
    'codes_paused',
    'code_refused',
  ],
  role: [...saved, 'docs-share', 'docs-unshare'],
  access: ['update'],
  token: ['create', 'limit', 'sign', 'unsign', 'revoke'],
  issuer: saved,
  admin_token: ['create', 'revoke', 'revoke_all'],
  sign_on: ['update'],
  session: ['login', 'logout', 'refused', 'revoke', 'revoke_others'],
  log: ['view'],
  run: ['resolve', 'status_query', 'resume', 'correct', 'again', 'close', 'cancel'],
  workflow: [...saved, 'create_hook', 'update_hook', 'delete_hook'],
  lane: ['pause', 'resume', 'drain'],
  delivery: ['send', 'send_dead', 'cancel'],
  alarm: ['acknowledge', 'mute', 'unmute'],
  'alarm-rule': saved,
  'alarm-channel': [...saved, 'test'],
  schedule: [...saved, 'pause', 'resume', 'run'],
  reconciliation: [...saved, 'run'],
  mapping: saved,
  archive: ['update', 'round', 'download'],
  installation: ['backup', 'copy', 'restore', 'rotate_key'],
  gateway_account: ['create', 'remove'],
  call: ['refused'],
}

const known = Object.entries(verbsOf).flatMap(([thing, verbs]) =>
  verbs.map((verb) => `${thing}.${verb}`),
)

/** Actions to narrow the trail down by. */
export const actionChoices = known.map((value) => ({ value, label: wordsOfAction(value) }))
