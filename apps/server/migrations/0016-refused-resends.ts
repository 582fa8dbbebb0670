import { sql, type Kysely } from 'kysely'

const message =
  'Refused when it was sent again. That does not say what became of an earlier attempt, which may have been received.'

/**
 * Earlier versions called a submit rejected when its resend was refused, although an attempt before may
 * have been received; Correct would send it again. Those steps become unknown, unless a user had said
 * that it was not received, another run took the place of theirs, or the document was sent since.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update run_step set state = 'unknown', message = ${message}
    where effect = 'submit' and state = 'rejected'
      and exists (
        select 1 from run_attempt as lost
        where lost.step_id = run_step.id and lost.kind in ('send', 'resend')
          and lost.outcome in ('timeout', 'cut', 'server_error', 'crash')
          and not exists (
            select 1 from run_attempt as said
            where said.step_id = lost.step_id and said.kind = 'resolved_not_received'
              and said.number > lost.number
          )
      )
      and not exists (select 1 from run as successor where successor.retry_of = run_step.run_id)
      and not exists (
        select 1 from document_step
        join document on document.id = document_step.document_id
        where document_step.run_id = run_step.run_id
          and document_step.position = run_step.position
          and document.state <> 'not_accepted'
      )`.execute(db)
  await sql`update run set state = 'unknown', unknown_since = coalesce(finished_at, created_at)
    where state = 'rejected'
      and exists (
        select 1 from run_step where run_step.run_id = run.id and run_step.state = 'unknown'
      )`.execute(db)
  await sql`update document_step set state = 'unknown'
    where state = 'not_accepted'
      and exists (
        select 1 from run_step
        where run_step.run_id = document_step.run_id
          and run_step.position = document_step.position and run_step.state = 'unknown'
      )`.execute(db)
  await sql`update document set state = 'unknown', run_id = (
      select max(run_id) from document_step
      where document_step.document_id = document.id and document_step.state = 'unknown'
    )
    where state = 'not_accepted'
      and exists (
        select 1 from document_step
        where document_step.document_id = document.id and document_step.state = 'unknown'
      )`.execute(db)
}
