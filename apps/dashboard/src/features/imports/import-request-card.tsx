import { Switch, Text } from '@mantine/core'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { outcomesAt } from './import-choice.ts'
import type { Preview } from './import-queries.ts'
import { ImportTarget, type ImportTargetProps } from './import-target.tsx'
import classes from './imports.module.css'

interface ImportRequestCardProps extends ImportTargetProps {
  signIn: NonNullable<Preview['sign_in']> | null
  takesSignIn: boolean
  onTakeSignIn: (takes: boolean) => void
}

const signInWords = {
  bearer: 'A token in the header Authorization.',
  basic: 'A user name and a password.',
  headers: 'A key in a header.',
}

/** The API and the one endpoint that a URL or a curl command becomes. */
export function ImportRequestCard(props: ImportRequestCardProps) {
  const { signIn, takesSignIn, onTakeSignIn, ...target } = props
  const { api, choice } = target
  const [operation] = api.operations
  if (!operation) return null
  const outcome = outcomesAt(api, choice.target).get(operation.key)
  return (
    <FormCard title="API">
      <ImportTarget {...target} />
      <div className={classes['request']}>
        <Text size="sm" fw={500}>
          Endpoint
        </Text>
        <span className={classes['route']}>
          <MethodBadge method={operation.method_type} />
          <bdi dir="ltr">{operation.path}</bdi>
        </span>
        {outcome?.action === 'left' && (
          <Text size="sm" c="dimmed">
            This API has the endpoint already.
          </Text>
        )}
      </div>
      {signIn !== null && choice.target === null && (
        <Switch
          label="Sign in with what the command holds"
          description={`${signInWords[signIn]} It is stored encrypted, and sent with each call.`}
          checked={takesSignIn}
          onChange={(event) => onTakeSignIn(event.currentTarget.checked)}
        />
      )}
    </FormCard>
  )
}
