/** What an entry of the audit trail is about. */
export const auditThings = [
  'api',
  'endpoint',
  'user',
  'role',
  'access',
  'token',
  'issuer',
  'admin-token',
  'sign-on',
  'session',
  'log',
  'run',
  'workflow',
  'lane',
  'delivery',
  'alarm',
  'alarm-rule',
  'alarm-channel',
  'schedule',
  'reconciliation',
  'mapping',
  'archive',
  // All of it: what the command line does with database, key and accounts.
  'installation',
  'call',
] as const
export type AuditThing = (typeof auditThings)[number]

const saved = ['create', 'update', 'delete'] as const

/** What the audit trail keeps, by what an action begins with. The dashboard has words for each. */
const auditVerbs = {
  api: [
    ...saved,
    'undo_delete',
    'try',
    'sign_in',
    'test_connection',
    'run_sample',
    'accept_drift',
    'purge_cache',
  ],
  endpoint: [...saved, 'undo_delete', 'try', 'clear_access'],
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
  role: [...saved, 'undo_delete', 'docs-share', 'docs-unshare'],
  access: ['update'],
  token: ['create', 'limit', 'sign', 'unsign', 'revoke'],
  issuer: saved,
  admin_token: ['create', 'revoke', 'revoke_all'],
  sign_on: ['update'],
  session: ['login', 'logout', 'refused', 'revoke', 'revoke_others'],
  log: ['view', 'download'],
  run: [
    'resolve',
    'status_query',
    'resume',
    'correct',
    'again',
    'close',
    'cancel',
    'release',
    'refuse',
  ],
  workflow: [...saved, 'create_hook', 'update_hook', 'delete_hook', 'test_callback'],
  lane: ['pause', 'resume', 'drain'],
  delivery: ['send', 'send_dead', 'cancel'],
  alarm: ['acknowledge', 'mute', 'unmute'],
  'alarm-rule': saved,
  'alarm-channel': [...saved, 'test'],
  schedule: [...saved, 'pause', 'resume', 'run'],
  reconciliation: [...saved, 'run'],
  mapping: saved,
  archive: ['update', 'round', 'download'],
  installation: ['backup', 'copy', 'restore', 'release', 'rotate_key'],
  gateway_account: ['create', 'remove'],
  call: ['refused'],
} as const

type Verbs = typeof auditVerbs
export type AuditSubject = keyof Verbs
export type AuditVerb<Subject extends AuditSubject = AuditSubject> = Verbs[Subject][number]

/** `api.create`, `session.login`, `call.refused` … */
export type AuditAction = {
  [Subject in AuditSubject]: `${Subject}.${AuditVerb<Subject>}`
}[AuditSubject]

export const auditActions = Object.entries(auditVerbs).flatMap(([subject, verbs]) =>
  verbs.map((verb) => `${subject}.${verb}` as AuditAction),
)
