// Links and buttons that lead to a page: router links that look like Mantine's.
import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { createLink, type LinkProps } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, forwardRef, type ReactNode, type Ref } from 'react'

const PlainAnchor = forwardRef(function PlainAnchor(
  props: AnchorHTMLAttributes<HTMLAnchorElement>,
  ref: Ref<HTMLAnchorElement>,
) {
  return <Anchor ref={ref} inherit underline="hover" c="var(--accent-text)" {...props} />
})

// The router's types know every address and would complicate each use. The browser tests check the addresses instead.
type Routed = (props: Record<string, unknown>) => ReactNode
const RoutedAnchor = createLink(PlainAnchor) as unknown as Routed

interface LinkTarget {
  readonly to: LinkProps['to']
  readonly params?: Record<string, string> | undefined
  readonly search?: Record<string, string | undefined> | undefined
  readonly hash?: string
}

interface TextLinkProps extends LinkTarget {
  readonly children: ReactNode
  readonly className?: string | undefined
  readonly title?: string
}

export function TextLink({ children, className, ...way }: TextLinkProps) {
  return (
    <RoutedAnchor {...way} className={className}>
      {children}
    </RoutedAnchor>
  )
}

const AnchorButton = forwardRef(function AnchorButton(
  props: ButtonProps & AnchorHTMLAttributes<HTMLAnchorElement>,
  ref: Ref<HTMLAnchorElement>,
) {
  return <Button component="a" ref={ref} {...props} />
})

const RoutedButton = createLink(AnchorButton) as unknown as Routed

export function LinkButton({
  children,
  variant = 'default',
  size = 'sm',
  leftSection,
  rightSection,
  ...way
}: LinkTarget & {
  children: ReactNode
  variant?: 'default' | 'filled' | 'subtle' | 'light'
  size?: 'xs' | 'sm' | 'md'
  leftSection?: ReactNode
  rightSection?: ReactNode
}) {
  return (
    <RoutedButton {...way} variant={variant} size={size} leftSection={leftSection} rightSection={rightSection}>
      {children}
    </RoutedButton>
  )
}
