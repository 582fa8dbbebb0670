import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { TokenDetail } from '@gatehouse/contract'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { paths } from '../../entities/paths.ts'
import { partOf } from '../../lib/forms/form-part.ts'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { useSaveForm } from '../../lib/forms/use-save-form.ts'
import { Facts } from '../../ui/text/facts.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ToolCallsCard } from './lazy-agent-parts.tsx'
import { LimitFields } from './lazy-limit-fields.tsx'
import { toLimitsBody, toLimitValues, type LimitValues } from './limit-values.ts'
import { SigningCard } from './signing-card.tsx'
import { tokenQueries, useLimitToken } from './token-queries.ts'
import { tokensMessages } from './tokens-messages.ts'

/** One token, and what it is limited to. */
export function TokenLimitsPage() {
  const id = useRecordId()
  const query = useQuery(tokenQueries.detail(id))
  useThingName(query.data?.token.name, { part: 'Limits' })
  return (
    <Page
      title="Limits of a token"
      subtitle="What this token opens of what its user may call. The token itself stays as it is; a change counts from the next call on."
      actions={<HistoryLink thing="token" id={id} />}
    >
      <FormLoader
        query={query}
        failureText={tokensMessages.limitsNotLoaded}
        thing={{ thing: 'token', id }}
      >
        {(detail) => (
          <>
            <TokenFacts detail={detail} />
            <SigningCard detail={detail} />
            <ToolCallsCard filter={{ token_id: id }} />
            {detail.can_change ? <LimitsForm detail={detail} /> : <FixedLimits detail={detail} />}
          </>
        )}
      </FormLoader>
    </Page>
  )
}

function TokenFacts({ detail: { token, usage } }: { detail: TokenDetail }) {
  const { quota } = token.limits
  return (
    <FormCard title={token.name}>
      <Facts
        facts={[
          ['For whom', token.user.name],
          [
            'Ends with',
            <span key="ending" dir="ltr">
              …{token.ending}
            </span>,
          ],
          ['State', token.state],
          ['Expires', <Moment key="expires" at={token.expires_at} isDay />],
          ...(quota === null
            ? []
            : [
                ['Used today', usedOf(usage.today, quota.per_day)] as const,
                ['Used this month', usedOf(usage.this_month, quota.per_month)] as const,
              ]),
        ]}
      />
    </FormCard>
  )
}

const usedOf = (used: number, quota: number | null) =>
  quota === null
    ? used.toLocaleString('en')
    : `${used.toLocaleString('en')} of ${quota.toLocaleString('en')}`

interface Values extends Record<string, unknown> {
  limits: LimitValues
}

function LimitsForm({ detail }: { detail: TokenDetail }) {
  const { token, named } = detail
  const initialValues: Values = { limits: toLimitValues(detail) }
  const form = useForm<Values>({ mode: 'controlled', initialValues })
  const save = useLimitToken(token.id)
  const saving = useSaveForm({
    form,
    initialValues,
    save: ({ limits }) => save({ limits: toLimitsBody(limits), version: token.version }),
    texts: tokensMessages.limits,
  })
  return (
    <FormFrame saving={saving} submitLabel="Save limits" cancelPath={paths.personalToken}>
      <FormCard title="Limits">
        <LimitFields part={partOf(form, 'limits')} owner={token.user.id} named={named} />
      </FormCard>
    </FormFrame>
  )
}

const nothingToEdit = { set: () => undefined, errorOf: () => undefined }

function FixedLimits({ detail }: { detail: TokenDetail }) {
  const part = { ...nothingToEdit, values: toLimitValues(detail) }
  return (
    <FormCard title="Limits">
      <Text size="sm" c="dimmed">
        Who could make this token may change its limits.
      </Text>
      <LimitFields part={part} owner={detail.token.user.id} named={detail.named} isDisabled />
    </FormCard>
  )
}
