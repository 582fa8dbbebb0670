import { useDocumentTitle } from '@mantine/hooks'
import { Navigate } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { LanguageChoice } from '../../ui/page/language-choice.tsx'
import { LoadingScreen } from '../../ui/page/loading.tsx'
import { LoginForm } from './login-form.tsx'
import { LoginFrame } from './login-frame.tsx'

const LoginOffers = lazyPart(async () => (await import('./login-more.tsx')).LoginOffers)

/** Login, shown only to users who are not signed in (spec: screens). */
export function LoginPage() {
  useDocumentTitle('Login · Gatehouse')
  const session = useSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'signed-in') return <Navigate to={paths.home} replace />
  return (
    <LoginFrame text="Sign in to the dashboard">
      <LoginForm>
        <LoginOffers />
        <LanguageChoice />
      </LoginForm>
    </LoginFrame>
  )
}
