#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# build.py [--kpipe=PROGRAM] [--out=FOLDER] [--tools=FOLDER]: makes a site of the
# project's pages and the gallery, which kpipe writes, in FOLDER/html. MkDocs is
# installed from PyPI into the folder of tools if it is not there.
import argparse
import logging
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def install(tools):
    if not os.path.isdir(os.path.join(tools, 'mkdocs')):
        subprocess.run([sys.executable, '-m', 'pip', 'install', '--quiet', '--target', tools,
                        '-r', os.path.join(HERE, 'requirements.txt')], check=True)
    sys.path.insert(0, tools)


def short_indents():
    """GitHub's lists are indented by two columns."""
    from markdown.extensions import Extension

    class ShortIndents(Extension):
        def extendMarkdown(self, md):
            md.tab_length = 2
    return ShortIndents()


def build(options):
    import gallery
    import pages
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config
    from pygments.formatters import HtmlFormatter

    out = os.path.abspath(options.out)
    staged, site = os.path.join(out, 'pages'), os.path.join(out, 'html')
    for folder in (staged, site):
        shutil.rmtree(folder, ignore_errors=True)
    stage = pages.Stage(ROOT, staged)
    listed = pages.project_pages(ROOT)
    for page in listed:
        stage.add(page)
    shown = gallery.make(options.kpipe, ROOT, stage)
    with open(os.path.join(HERE, 'style.css'), encoding='utf-8') as style:
        stage.write('style.css', style.read() +
                    HtmlFormatter(style='default').get_style_defs('.codehilite'))
    with open(os.path.join(ROOT, 'README.md'), encoding='utf-8') as readme:
        nav = pages.navigation(readme.read(), listed, shown)
    config = load_config(os.path.join(HERE, 'mkdocs.yml'), docs_dir=staged, site_dir=site,
                         nav=nav)
    config.markdown_extensions.append(short_indents())
    config.mdx_configs.setdefault('toc', {})['slugify'] = pages.slug
    build_site(config)
    return site


def main():
    parser = argparse.ArgumentParser()
    build_folder = os.path.join(ROOT, 'build')
    parser.add_argument('--kpipe', default=os.path.join(build_folder, 'release', 'bin', 'kpipe'))
    parser.add_argument('--out', default=os.path.join(build_folder, 'site'))
    parser.add_argument('--tools', default=os.path.join(build_folder, 'mkdocs'))
    options = parser.parse_args()
    install(options.tools)
    logging.basicConfig(format='%(levelname)s: %(message)s', level=logging.WARNING)
    site = build(options)
    import check
    found = list(check.faults(site))
    if found:
        sys.exit('\n'.join(found))
    print(f'{site}: to read it, python3 -m http.server --directory {site}')


if __name__ == '__main__':
    main()
