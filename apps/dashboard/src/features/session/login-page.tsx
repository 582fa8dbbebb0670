import { Center, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { Navigate } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { useSession } from '../../lib/session.tsx'
import { LanguageChoice } from '../../ui/language-choice.tsx'
import { LoadingScreen } from '../../ui/loading.tsx'
import { LoginForm } from './login-form.tsx'
import classes from './login-page.module.css'

const SignOn = lazyPart(async () => (await import('./login-more.tsx')).SignOn)

/** Login, shown only to users who are not signed in (spec: screens). */
export function LoginPage() {
  useDocumentTitle('Login · Gatehouse')
  const session = useSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'signed-in') return <Navigate to={paths.home} replace />
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400} className={classes['card'] ?? ''}>
        <Stack gap={4} mb="lg" align="center">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <Title order={1} size="h2" mt="xs">
            Gatehouse
          </Title>
          <Text size="sm" c="dimmed">
            Sign in to the dashboard
          </Text>
        </Stack>
        <LoginForm />
        <SignOn />
        <LanguageChoice />
      </Paper>
    </Center>
  )
}
