"""Commands: releases, gold and answers, in and out."""
