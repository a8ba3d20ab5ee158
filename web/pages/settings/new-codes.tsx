// Turning on one-time codes: the picture for the app, and its first code.
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import type { CodeSecretView, RecoveryCodesView } from '../../../src/http/console/wire/factors.ts'
import { api } from '../../api.ts'
import { CopyButton } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { LoadingRows, Trouble } from '../../components/page.tsx'
import classes from './settings.module.css'
import type { Confirmed } from './show-again.tsx'

interface NewCodesProps {
  readonly confirmed: Confirmed
  readonly close: () => void
  readonly begun: (recoveryCodes: readonly string[]) => Promise<void>
}

export function NewCodes({ confirmed, close, begun }: NewCodesProps) {
  const [secret, setSecret] = useState<CodeSecretView | null>(null)
  const [error, setError] = useState<unknown>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens.
  useEffect(() => {
    confirmed(() => api.post<CodeSecretView>('/codes/begin', {})).then(setSecret, setError)
  }, [])
  return (
    <Dialog onClose={close} title="Turn on one-time codes">
      {error !== null && <Trouble error={error} />}
      {error === null && secret === null && <LoadingRows rows={4} />}
      {secret !== null && <FirstCode secret={secret} confirmed={confirmed} begun={begun} />}
    </Dialog>
  )
}

interface FirstCodeProps extends Pick<NewCodesProps, 'confirmed' | 'begun'> {
  readonly secret: CodeSecretView
}

function FirstCode({ secret, confirmed, begun }: FirstCodeProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isAsking, setAsking] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
    setError(null)
    try {
      const made = await confirmed(() => api.post<RecoveryCodesView>('/codes', { code }))
      await begun(made.recoveryCodes)
    } catch (failure) {
      setError(failure)
      setAsking(false)
    }
  }
  return (
    <form onSubmit={event => void submit(event)} className={classes.form}>
      <p>Scan this with an app for one-time codes, such as the one for your passwords.</p>
      <Picture text={secret.uri} />
      <div>
        <p className="soft">Or enter the secret by hand:</p>
        <div className={classes.secret}>{inFours(secret.secret)}</div>
        <div className={classes.line}>
          <CopyButton text={secret.secret} label="Copy the secret" />
        </div>
      </div>
      <TextInput
        label="The code it shows now"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
      />
      {error !== null && <Trouble error={error} />}
      <Button type="submit" loading={isAsking}>
        Turn on
      </Button>
    </form>
  )
}

function inFours(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? text
}

/** Four modules of quiet around it, as readers want it. */
const quiet = 4

function Picture({ text }: { readonly text: string }) {
  const { data } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => (await import('qrcode')).create(text, { errorCorrectionLevel: 'M' }).modules,
    gcTime: 0,
  })
  if (data === undefined) return <div className={classes.picture} />
  const { size } = data
  const dark = Array.from({ length: size * size }, (_, i) => i).filter(i => data.data[i])
  const path = dark.map(i => `M${quiet + (i % size)} ${quiet + Math.floor(i / size)}h1v1h-1z`).join('')
  const whole = size + 2 * quiet
  return (
    <svg className={classes.picture} viewBox={`0 0 ${whole} ${whole}`} role="img" aria-label="QR code for the app">
      <rect width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
