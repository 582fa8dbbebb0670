import { Alert } from '@mantine/core'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import classes from './document-refusal.module.css'

/** Why a document was refused, with all its errors. Each message begins with its place in the document. */
export function DocumentRefusal({ title, error }: { title: string; error: Error }) {
  const problems = error instanceof CallError ? Object.values(error.errors).flat() : []
  return (
    <Alert color="red" role="alert" title={title}>
      {problems.length === 0 ? (
        messageOf(error)
      ) : (
        <ul className={classes['problems']}>
          {problems.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
