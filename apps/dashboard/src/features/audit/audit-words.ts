import type { AuditEvent, AuditSubject, AuditThing, AuditVerb } from '@gatehouse/contract'

export const outcomeWords: Record<AuditEvent['outcome'], string> = {
  done: 'done',
  refused: 'refused',
}

const thingWords: Record<AuditThing, string> = {
  api: 'Api',
  endpoint: 'Endpoint',
  user: 'User',
  role: 'Role',
  access: 'Access',
  token: 'Token',
  issuer: 'Issuer of tokens',
  'admin-token': 'Token for programs',
  'sign-on': 'Sign-on',
  session: 'Session',
  log: 'Log',
  run: 'Run',
  workflow: 'Workflow',
  lane: 'Lane',
  delivery: 'Delivery',
  alarm: 'Alarm',
  'alarm-rule': 'Alarm rule',
  'alarm-channel': 'Alarm channel',
  schedule: 'Schedule',
  reconciliation: 'Reconciliation',
  mapping: 'Mapping',
  archive: 'Archive',
  installation: 'Installation',
  call: 'Call',
}

/** What actions begin with that is no thing, or is spelled otherwise. */
const otherWords: Record<Exclude<AuditSubject, AuditThing>, string> = {
  context: 'Context',
  draft: 'Draft of an API',
  admin_token: thingWords['admin-token'],
  sign_on: thingWords['sign-on'],
  gateway_account: 'Account of a gateway',
}

const verbWords: Record<AuditVerb, string> = {
  accept_drift: 'accept the change',
  acknowledge: 'acknowledge',
  again: 'send again',
  backup: 'back up',
  cancel: 'cancel',
  clear_access: 'take from all roles',
  close: 'close',
  code_refused: 'refuse a code during a pause',
  codes_paused: 'pause after wrong codes',
  copy: 'copy',
  correct: 'correct',
  create: 'create',
  create_hook: 'create a webhook',
  delete: 'delete',
  delete_hook: 'delete a webhook',
  discard: 'discard',
  'docs-share': 'share the docs',
  'docs-unshare': 'end the link to the docs',
  download: 'download',
  drain: 'drain',
  invitation_accepted: 'accept the invitation',
  invitation_taken_back: 'take the invitation back',
  invited: 'invite',
  limit: 'limit',
  login: 'sign in',
  logout: 'sign out',
  mute: 'mute',
  passkey_add: 'add a passkey',
  passkey_remove: 'remove a passkey',
  passkey_rename: 'rename a passkey',
  passkeys_reset: 'remove all passkeys',
  password: 'change the password',
  password_reset: 'set a new password by e-mail',
  password_reset_asked: 'ask for a new password by e-mail',
  pause: 'pause',
  publish: 'publish',
  purge_cache: 'purge the cache',
  recovery_code_used: 'use a recovery code',
  recovery_codes: 'make recovery codes',
  refused: 'refused',
  refuse: 'refuse to release',
  release: 'release',
  remove: 'remove',
  resolve: 'resolve',
  restore: 'restore',
  resume: 'resume',
  revoke: 'revoke',
  revoke_all: 'revoke all',
  revoke_others: 'end all others',
  rotate_key: 'change the key',
  round: 'archive now',
  run: 'run now',
  run_sample: 'run with a sample',
  save: 'save',
  second_factor_off: 'second factor off',
  second_factor_on: 'second factor on',
  second_factor_reset: 'reset the second factor',
  send: 'send again',
  send_dead: 'send dead ones again',
  sign: 'make a signing secret',
  sign_in: 'test the sign-in',
  sign_on_linked: 'link to the sign-on',
  sign_on_unlinked: 'unlink from the sign-on',
  status_query: 'ask for the status',
  test: 'test',
  test_callback: 'test the callback',
  test_connection: 'test the connection',
  try: 'try',
  unmute: 'unmute',
  unsign: 'remove the signing secret',
  update: 'update',
  update_hook: 'change a webhook',
  view: 'view',
}

export const wordsOfThing = (thing: AuditThing): string => thingWords[thing]

const subjectWords: Record<string, string> = { ...thingWords, ...otherWords }
const allVerbWords: Record<string, string> = verbWords

/** `lane.pause` reads as `Lane: pause`. One of another version of Gatehouse is shown as it is named. */
export function wordsOfAction(action: string): string {
  const [subject = '', verb = ''] = action.split('.')
  return `${subjectWords[subject] ?? subject}: ${allVerbWords[verb] ?? verb.replaceAll(/[-_]/g, ' ')}`
}
