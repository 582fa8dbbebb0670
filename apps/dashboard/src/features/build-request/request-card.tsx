import { Text } from '@mantine/core'
import type { ReactNode, RefCallback } from 'react'
import { Fold } from '../../ui/page/fold.tsx'
import type { JsonTextProblem } from '../../lib/format/json-problem.ts'
import { UnresolvedFields, useHasUnresolved } from '../../ui/text/unresolved.tsx'
import { BodyField } from '../../ui/form/body-field.tsx'
import { EndpointSelect } from '../../entities/endpoint/endpoint-select.tsx'
import { TokenField } from '../../entities/api/token-field.tsx'
import classes from './build-request.module.css'

interface RequestCardProps {
  attachForm: RefCallback<HTMLFormElement>
  /** The label of the select, which names the card. */
  title: string
  /** Offers only what Get may call. */
  onlyReads?: boolean
  choiceHint?: string | undefined
  endpoint: string | null
  onEndpoint: (id: string | null) => void
  token: string
  onToken: (token: string) => void
  body: string
  onBody: (body: string) => void
  bodyHint: string
  /** Why what is typed is not JSON. */
  bodyProblem: JsonTextProblem | undefined
  /** First messages of a 422, by field. */
  errors: { endpoint?: string | undefined; token?: string | undefined; body?: string | undefined }
  /** Enter in a field; absent where a slip of the hand must not send anything. */
  onSubmit?: () => void
  /** Between the endpoint and the rest. */
  inputs?: ReactNode
  /** A body that is typed is what is sent: it is not folded away. */
  showsBody?: boolean
  /** The button, and what became of it. */
  children: ReactNode
}

/** One end of a build request: endpoint, Token and Body (spec: screens). */
export function RequestCard(props: RequestCardProps) {
  return (
    <UnresolvedFields>
      <RequestForm {...props} />
    </UnresolvedFields>
  )
}

function RequestForm({ attachForm, ...props }: RequestCardProps) {
  const { title, errors, body } = props
  const hasUnresolved = useHasUnresolved()
  return (
    <form
      ref={attachForm}
      className={`${classes['form']} ${props.showsBody ? classes['whole'] : ''}`}
      aria-label={title}
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        if (!hasUnresolved) props.onSubmit?.()
      }}
    >
      <EndpointSelect
        label={title}
        onlyReads={props.onlyReads === true}
        value={props.endpoint}
        onChange={props.onEndpoint}
        error={errors.endpoint}
        hint={props.choiceHint}
      />
      {props.inputs}
      <Fold
        title={<FoldTitle hasToken={props.token !== ''} />}
        isInitiallyOpen={props.showsBody === true && body !== ''}
        isOpenWhen={
          errors.token !== undefined ||
          errors.body !== undefined ||
          (props.showsBody === true && body !== '')
        }
      >
        <div className={classes['folded']}>
          <TokenField value={props.token} onChange={props.onToken} error={errors.token} />
          <BodyField
            value={body}
            onChange={props.onBody}
            problem={errors.body === undefined ? props.bodyProblem : { message: errors.body }}
            hint={props.bodyHint}
          />
        </div>
      </Fold>
      {props.children}
    </form>
  )
}

/** Says that there is a token where it can't be seen. */
function FoldTitle({ hasToken }: { hasToken: boolean }) {
  return (
    <>
      <span>Token and Body</span>
      {hasToken && (
        <Text span size="xs" c="dimmed">
          token typed
        </Text>
      )}
    </>
  )
}
