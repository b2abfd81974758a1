import type { ReactNode } from 'react';
import './style.css';

export const metadata = { title: 'Live paragraph' };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
