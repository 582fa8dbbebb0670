import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'
import { notifyWarning } from '../../lib/page/notify.tsx'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { SignOnForm } from './sign-on-form.tsx'
import { signOnMessages } from './sign-on-messages.ts'
import { toSignOnBody, toSignOnValues, type SignOnBody } from './sign-on-values.ts'

const load = (signal: AbortSignal) => call('GET /api/sign-on', { signal })
const signOn = defineResource('sign-on', (_: object, signal) => load(signal))

/** The provider that administrators sign in with. */
export function SignOnPage() {
  const query = useQuery(signOn.form('new', load))
  const send = signOn.useSave((body: SignOnBody) => call('PUT /api/sign-on', { body }))

  async function save(body: SignOnBody) {
    const { problem } = await send(body)
    if (problem) notifyWarning(signOnMessages.unreachable, problem)
  }

  return (
    <Page
      title="Sign-in provider"
      subtitle="Administrators sign in to this dashboard with their company account (OpenID Connect)."
    >
      <FormLoader query={query} failureText={signOnMessages.notLoaded}>
        {({ provider, roles }) => (
          <SignOnForm
            initialValues={toSignOnValues(provider)}
            hasSecret={provider?.has_client_secret ?? false}
            roles={roles}
            save={(values) => save(toSignOnBody(values, provider?.version))}
          />
        )}
      </FormLoader>
    </Page>
  )
}
