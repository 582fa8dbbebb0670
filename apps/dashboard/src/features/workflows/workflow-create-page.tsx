import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { readBundleDraft, valuesOfBundle } from './bundle-draft.ts'
import { WorkflowForm } from './editor/workflow-form.tsx'
import { newWorkflowValues, toWorkflowBody } from './workflow-form-values.ts'
import { useCreateWorkflow, workflowQueries } from './workflow-queries.ts'
import { workflowsMessages } from './workflows-messages.ts'

/** A new workflow: blank, or from what was typed on the Tax, Credit or Build Request screen. */
export function WorkflowCreatePage() {
  const query = useQuery(workflowQueries.create())
  const create = useCreateWorkflow()
  const { state } = useLocation()
  const [bundle] = useState(() => readBundleDraft(state))
  const [initialValues] = useState(() => (bundle ? valuesOfBundle(bundle) : newWorkflowValues()))
  return (
    <Page
      title="Create workflow"
      {...(bundle
        ? {
            subtitle:
              bundle.kind === 'general'
                ? 'From Build Request. Tokens are not taken along.'
                : `From the ${bundle.kind} request. Tokens are not taken along.`,
          }
        : {})}
    >
      {bundle?.isDependent === true && (
        <Alert color="orange" title="The dependency field is not taken along">
          Write the values into the body of step 2 instead: {'"{{steps.1.body.id}}"'} takes one from
          the answer of step 1.
        </Alert>
      )}
      <FormLoader query={query} failureText={workflowsMessages.notLoaded}>
        {({ choices }) => (
          <WorkflowForm
            initialValues={initialValues}
            choices={choices}
            save={(values) => create(toWorkflowBody(values))}
            submitLabel="Create workflow"
            texts={{ ...workflowsMessages, saved: workflowsMessages.created }}
            cancelPath={paths.workflows}
          />
        )}
      </FormLoader>
    </Page>
  )
}
