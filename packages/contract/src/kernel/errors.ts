import { upstreamErrors } from './upstream-errors.ts'

/**
 * Every refusal the product can answer with: its code, HTTP status and public text.
 * The texts never name internals; the details are in the log under the request id.
 * `docs/errors.md` explains each code to operators, and a test keeps the two equal.
 */
export const errorTable = {
  'request.invalid': { status: 422, message: 'Validation errors occurred!' },
  'request.malformed': { status: 400, message: 'The request could not be read.' },
  'request.not_json': { status: 415, message: 'Send the body as application/json.' },
  'request.encoding': { status: 415, message: 'Send the body as it is, not compressed.' },
  'request.too_large': { status: 413, message: 'The request is too large.' },
  'request.too_deep': { status: 400, message: 'The JSON is nested more than 32 levels deep.' },
  'request.too_costly': {
    status: 422,
    message: 'This takes more time or memory than one call may use. Send or ask for less at once.',
  },
  'request.wrong_origin': { status: 403, message: 'Requests from other sites are refused.' },
  'session.unauthenticated': { status: 401, message: 'Unauthenticated.' },
  'session.invalid_credentials': { status: 401, message: 'Invalid email or password' },
  'session.code_needed': {
    status: 401,
    message: 'Enter a code of your authenticator app.',
  },
  'session.wrong_code': {
    status: 401,
    message: 'This code is wrong, or was used before. Wait for the next one.',
  },
  'session.setup_needed': {
    status: 401,
    message: 'Your role asks for a second factor. Set it up to sign in.',
  },
  'session.throttled': {
    status: 429,
    message: 'Too many sign-in attempts. Wait a moment and try again.',
  },
  'session.codes_paused': {
    status: 429,
    message: 'Too many wrong codes. Wait a while, or use a recovery code.',
  },
  'session.not_found': { status: 404, message: 'This session does not exist, or has ended.' },
  'second_factor.is_on': { status: 409, message: 'Your second factor is on already.' },
  'second_factor.is_off': { status: 409, message: 'There is no second factor here.' },
  'second_factor.is_required': {
    status: 409,
    message: 'One of your roles asks for a second factor: it can’t be turned off.',
  },
  'passkey.not_found': { status: 404, message: 'This passkey does not exist, or was removed.' },
  'passkey.none': { status: 409, message: 'This user has no passkeys.' },
  'passkey.unavailable': {
    status: 409,
    message: 'Passkeys need https, or localhost, and a host name instead of an address.',
  },
  'passkey.not_taken': {
    status: 409,
    message: 'The passkey was not taken: it took too long, or does not fit. Begin again.',
  },
  'passkey.refused': {
    status: 401,
    message:
      'This passkey does not sign in here: it was removed, or it took too long. Try again, or use your password.',
  },
  'mail.off': { status: 404, message: 'This server sends no e-mail. Ask an administrator.' },
  'mail.refused': { status: 502, message: 'The mail server did not take the e-mail.' },
  'password_link.ended': {
    status: 404,
    message: 'This link was used, or has ended. Ask for a new one.',
  },
  'password_link.throttled': {
    status: 429,
    message: 'Too many e-mails were asked for from here. Try again later.',
  },
  'sign_on.off': { status: 404, message: 'Nobody signs in with a provider here.' },
  'sign_on.unreachable': {
    status: 502,
    message: 'The sign-in provider does not answer as expected. Try again, or use your password.',
  },
  'sign_on.refused': {
    status: 401,
    message: 'The sign-in was broken off, took too long, or was not begun here. Try again.',
  },
  'sign_on.no_access': {
    status: 403,
    message: 'You have signed in, but may not enter here. Ask an administrator.',
  },
  'permission.denied': { status: 403, message: 'You do not have permission to do this.' },
  'access.denied': { status: 403, message: 'None of your roles has access to this endpoint.' },
  'route.not_found': { status: 404, message: 'Not found.' },
  'api.not_found': { status: 404, message: 'This API does not exist.' },
  'api.no_draft': { status: 404, message: 'This API has no draft: it was published or discarded.' },
  'api.unreadable': {
    status: 503,
    message: 'A stored secret of this API can’t be opened. Enter it again in the API’s form.',
  },
  'api.has_endpoints': {
    status: 409,
    message: 'This API still has endpoints. Delete them first.',
  },
  'api.register_in_use': {
    status: 409,
    message: 'Documents of this API are open or unknown in its register. Settle them first.',
  },
  'api.register_change': {
    status: 409,
    message: 'Documents of this API stay in the register that it leaves. Confirm the change.',
  },
  'endpoint.not_found': { status: 404, message: 'This endpoint does not exist.' },
  'endpoint.in_use': {
    status: 409,
    message: 'Other endpoints use this one as their status query. Change their run settings first.',
  },
  'endpoint.in_workflow': {
    status: 409,
    message: 'Workflows call this endpoint. Change them first.',
  },
  'endpoint.has_unknown_runs': {
    status: 409,
    message: 'The outcome of runs at this endpoint is unknown. Resolve them first.',
  },
  'document.not_found': { status: 404, message: 'This document does not exist.' },
  'document.may_be_accepted': {
    status: 409,
    message: 'This document is being sent, or may have been accepted already.',
  },
  'document.not_accepted': {
    status: 409,
    message: 'The document to credit was not accepted.',
  },
  'record.changed': {
    status: 409,
    message: 'Another user has changed this record since you opened it. Reload to see it.',
  },
  'record.conflict': {
    status: 409,
    message:
      'Something that this depends on was changed or deleted at the same moment. Reload and try again.',
  },
  'user.not_found': { status: 404, message: 'This user does not exist.' },
  'user.self': { status: 409, message: 'You can’t do this to your own account.' },
  'user.not_invited': { status: 409, message: 'This user has no invitation.' },
  'user.invited_often': {
    status: 429,
    message: 'Invitations were sent too often within an hour. Try again later.',
  },
  'user.has_password': {
    status: 409,
    message: 'This user has a password, and needs no invitation.',
  },
  'user.last_super_admin': {
    status: 409,
    message: 'This is the last Super Admin. Give the role to another user first.',
  },
  'user.gateway_client': {
    status: 409,
    message:
      'The gateway client is part of the product: it can’t be deleted, sign in or have permissions.',
  },
  'role.not_found': { status: 404, message: 'This role does not exist.' },
  'role.in_use': { status: 409, message: 'Users still have this role. Take it from them first.' },
  'token.not_found': { status: 404, message: 'This token does not exist.' },
  'token.address': { status: 403, message: 'This token may not be used from your address.' },
  'token.scope': { status: 403, message: 'This token was not made for this call.' },
  'issuer.not_found': { status: 404, message: 'This token issuer does not exist.' },
  'audit.not_found': { status: 404, message: 'This event does not exist.' },
  'audit.not_restorable': { status: 409, message: 'This event left no version to bring back.' },
  'audit.in_force': {
    status: 409,
    message: 'This version is in force already: there is nothing to bring back.',
  },
  'archive.not_found': { status: 404, message: 'This file of the archive does not exist.' },
  'archive.file_missing': {
    status: 409,
    message: 'The file of the archive is not where it was written.',
  },
  'archive.file_elsewhere': {
    status: 409,
    message: 'Another server has the file of the archive, and does not share its folder.',
  },
  'archive.file_changed': {
    status: 409,
    message: 'The file of the archive is not what was written.',
  },
  'archive.file_unreadable': {
    status: 503,
    message: 'The file of the archive can’t be read.',
  },
  'log.not_found': { status: 404, message: 'This log file does not exist.' },
  ...upstreamErrors,
  'upstream.too_large': {
    status: 502,
    message: 'The upstream sent more than is accepted as an answer (16 MiB, 16 KiB of headers).',
  },
  'upstream.redirect': {
    status: 502,
    message: 'The upstream answered with a redirect. Redirects are not followed.',
  },
  'upstream.status': { status: 502, message: 'The upstream answered with an error.' },
  'upstream.unreadable': {
    status: 502,
    message: 'The upstream’s answer is neither a clear success nor a clear refusal.',
  },
  'procedure.no_drift': {
    status: 409,
    message: 'The procedure has not changed: there is nothing to accept.',
  },
  'procedure.not_found': {
    status: 502,
    message: 'The database has no such stored procedure, or does not show it to this user.',
  },
  'procedure.parameters': {
    status: 422,
    message: 'The parameters do not fit the stored procedure.',
  },
  'procedure.not_read_only': {
    status: 405,
    message:
      'GET may only call a stored procedure that declares READS SQL DATA or NO SQL, or an endpoint marked read only.',
  },
  'procedure.rejected': { status: 422, message: 'The stored procedure rejected the call.' },
  'procedure.forbidden': {
    status: 403,
    message: 'The database user may not execute this stored procedure.',
  },
  'procedure.sign_in': { status: 502, message: 'The database refused the sign-in.' },
  'procedure.busy': { status: 503, message: 'The database is busy. Try again in a moment.' },
  'procedure.changed': {
    status: 502,
    message: 'The stored procedure takes other parameters than it did before.',
  },
  'procedure.failed': { status: 502, message: 'The stored procedure failed.' },
  'procedure.too_many_rows': {
    status: 502,
    message: 'The stored procedure returned more rows than are accepted.',
  },
  'procedure.too_large': {
    status: 502,
    message: 'The stored procedure returned more than is accepted as an answer (16 MiB).',
  },
  'procedure.cancelled': { status: 503, message: 'The call was cancelled before its end.' },
  'workflow.not_found': { status: 404, message: 'This workflow does not exist.' },
  'workflow.has_open_runs': {
    status: 409,
    message: 'Runs of this workflow have not ended. Wait for them, or settle them first.',
  },
  'workflow.no_callback': {
    status: 409,
    message: 'This workflow has no callback.',
  },
  'workflow.needs_release': {
    status: 409,
    message:
      'Each run of this workflow that a token starts waits for a release. Start them one by one, without a batch.',
  },
  'workflow.paused': {
    status: 409,
    message: 'This workflow is paused: it takes no new runs.',
  },
  'installation.held': {
    status: 409,
    message:
      'A backup was restored, so this may have been sent already. Check at the authority, then confirm to send it.',
  },
  'installation.not_held': { status: 409, message: 'Nothing is held.' },
  'run.unknown': {
    status: 504,
    message:
      'The request was sent, but what became of it is not known. Check before sending again.',
  },
  'run.held': {
    status: 503,
    message:
      'The database can’t be reached. The outcome of this run is kept and saved later: look at the run before you send again.',
  },
  'run.not_stored': {
    status: 503,
    message:
      'The disk of the database is full. Nothing was stored or sent: send it again later, with the same key.',
  },
  'run.not_found': { status: 404, message: 'This run does not exist.' },
  'run.no_answer': { status: 404, message: 'No answer of this step is kept.' },
  'run.failed': { status: 502, message: 'Failed to send request.' },
  'run.in_progress': { status: 409, message: 'This run is under way. Wait for it to end.' },
  'batch.not_found': { status: 404, message: 'This batch does not exist.' },
  'batch.cancelled': { status: 409, message: 'This batch was cancelled.' },
  'batch.in_progress': {
    status: 409,
    message: 'This batch is being stored. Ask again in a moment.',
  },
  'run.key_reused': {
    status: 422,
    message: 'This Idempotency-Key was used for another request. Make a new one.',
  },
  'run.unresolved': {
    status: 409,
    message: 'The same was sent before, and its outcome is unknown. Resolve that run first.',
  },
  'run.superseded': { status: 409, message: 'Another run was sent in the place of this one.' },
  'run.not_resumable': { status: 409, message: 'This run can’t be resumed.' },
  'run.not_cancellable': { status: 409, message: 'This run can’t be cancelled.' },
  'run.not_closable': { status: 409, message: 'This run can’t be closed.' },
  'run.not_releasable': { status: 409, message: 'This run can’t be released.' },
  'run.own_release': {
    status: 403,
    message: 'This run is of a token of yours. Another person decides about it.',
  },
  'run.may_be_accepted': {
    status: 409,
    message: 'A step of this run was or may have been accepted: it is not sent again.',
  },
  'run.not_unknown': { status: 409, message: 'The outcome of this step is known already.' },
  'run.no_status_query': {
    status: 409,
    message: 'The endpoint of this step has no status query that could be asked.',
  },
  'lane.not_found': { status: 404, message: 'This lane does not exist.' },
  'lane.draining': {
    status: 503,
    message: 'This lane takes no new runs now. What is queued is still carried out.',
  },
  'hook.not_found': { status: 404, message: 'This webhook does not exist.' },
  'hook.paused': { status: 503, message: 'This webhook is paused. Send it again later.' },
  'hook.not_ready': {
    status: 503,
    message: 'The workflow of this webhook takes no runs now. Send it again later.',
  },
  'delivery.not_found': { status: 404, message: 'This delivery does not exist.' },
  'delivery.ended': { status: 409, message: 'This delivery has ended: it does not wait.' },
  'alarm.not_found': { status: 404, message: 'This alarm does not exist.' },
  'alarm.rule_not_found': { status: 404, message: 'This rule does not exist.' },
  'alarm.channel_not_found': { status: 404, message: 'This channel does not exist.' },
  'reconciliation.not_found': { status: 404, message: 'This comparison does not exist.' },
  'docs.link_unknown': { status: 404, message: 'This link has ended, or was never given.' },
  'deletion.over': { status: 409, message: 'The time to undo this is over.' },
  'deletion.taken': {
    status: 409,
    message: 'Its name or its place was taken meanwhile, or what it belongs to is gone.',
  },
  'mapping.not_found': { status: 404, message: 'This mapping does not exist.' },
  'schedule.not_found': { status: 404, message: 'This schedule does not exist.' },
  'schedule.under_way': {
    status: 409,
    message: 'This schedule is firing. Wait until that has ended.',
  },
  'schedule.list_failed': { status: 422, message: 'The list could not be fetched.' },
  'gateway.absent': { status: 409, message: 'This server runs no gateway.' },
  'sample.refused': { status: 409, message: 'The sample service can’t be used here.' },
  'gateway.not_in_force': {
    status: 503,
    message: 'Saved, but not in force yet: the gateway has not taken it over.',
  },
  'gateway.silent': {
    status: 502,
    message: 'The gateway did not answer. Look at its workers and their log.',
  },
  'database.away': {
    status: 503,
    message: 'The database can’t be reached right now. Try again in a moment.',
  },
  'database.busy': {
    status: 503,
    message: 'The database has too much to do right now. Try again in a moment.',
  },
  'store.full': {
    status: 507,
    message: 'The disk of the database is full. Nothing was saved: make room, then try again.',
  },
  'server.connections': {
    status: 503,
    message: 'Too many connections are open from this address.',
  },
  'server.starting': { status: 503, message: 'The server is starting. Try again in a moment.' },
  'server.busy': { status: 429, message: 'The server is busy. Try again in a moment.' },
  'server.failed': { status: 500, message: 'Something went wrong on our side.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorTable

/** First message first: the screens show one message under each field. */
export type FieldErrors = Record<string, string[]>

/** The address, on the server that answers, of what docs/errors.md says about a code: cause and cure. */
export const helpOf = (code: ErrorCode) => `/dashboard?help=errors/${code}`

/** What every refused call answers with; `errors` only where fields are at fault. */
export interface ErrorAnswer {
  message: string
  code: ErrorCode
  request_id: string
  /** Where the dashboard shows the section of docs/errors.md about the code: see `helpOf`. The gateway sends none. */
  help?: string
  errors?: FieldErrors
  /** With `gateway.not_in_force`: what the call would have answered, for the change is saved. */
  saved?: unknown
}
